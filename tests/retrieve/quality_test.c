/* quality_test.c - a small course of our own, so that a change which makes
 * search worse is noticed.  bench/quality measures on large collections. */
#include "retrieve_help.h"

struct item {
    const char *id, *title, *text;
};

// clang-format off
static const struct item items[] = {
    {"first", "First law", "The internal energy of a closed system changes by the heat that enters it, less the work that it does. Energy is neither made nor lost."},
    {"second", "Second law", "Heat never flows by itself from a cold body to a warm one. Put differently, the entropy of an isolated system does not decrease."},
    {"third", "Third law", "As the temperature nears absolute zero, the entropy of a perfect crystal nears zero as well. Absolute zero cannot be reached in a finite number of steps."},
    {"carnot", "Carnot cycle", "Two isothermal and two adiabatic steps make the cycle. No engine between the same two reservoirs is more efficient; its efficiency is one minus the ratio of the temperatures."},
    {"gibbs", "Free energy", "At constant temperature and pressure, a reaction runs by itself when the Gibbs free energy falls. It is the enthalpy less the temperature times the entropy."},
    {"gas", "Ideal gas", "Pressure times volume is the amount of substance times the gas constant times the temperature. Real gases differ at high pressure, where molecules have a size and attract each other."},
    {"maxwell", "Speeds of molecules", "In a gas at rest, molecules have many speeds. Maxwell derived their distribution in 1860; the most likely speed grows with the root of the temperature."},
    {"demon", "Maxwell's demon", "A being that opens a small door for fast molecules only would make one side hot. Landauer showed that erasing its memory costs as much entropy as it gained."},
    {"phase", "Phase transitions", "Ice melts at a temperature that hardly depends on pressure. While it melts, heat goes in and the temperature stays: this is latent heat."},
    {"radiation", "Radiation", "A black body shines with a colour that depends on its temperature alone. Planck explained the spectrum in 1900 by quanta of energy."},
    {"photosynthesis", "Plants", "Leaves turn light, water and carbon dioxide into sugar and oxygen. Chlorophyll takes up red and blue light and throws back the green."},
    {"respiration", "Cells", "Mitochondria burn sugar with oxygen and store what is gained in ATP. Most of the 36 molecules of ATP come from the last step, at the inner membrane."},
    {"dna", "Inheritance", "DNA is a double helix; Watson and Crick described it in 1953, with pictures made by Rosalind Franklin. Adenine pairs with thymine, guanine with cytosine."},
    {"selection", "Evolution", "Animals differ, and those that fit their surroundings have more young. Over many generations a species changes; Darwin called it natural selection."},
    {"heart", "Circulation", "The right half of the heart pumps blood through the lungs, the left half through the body. Harvey showed in 1628 that blood goes round."},
    {"sort", "Sorting", "Quicksort picks a pivot and parts the array into smaller and larger elements. It takes n log n steps on average and n squared in the worst case."},
    {"hash", "Hash tables", "A hash function gives each key a slot. When two keys share one, the collision is resolved by chaining or by probing the slots that follow."},
    {"graph", "Shortest paths", "Dijkstra's algorithm finds shortest paths from one node when no edge has a negative weight. A priority queue holds the nodes that are not settled yet."},
    {"database", "Transactions", "A transaction is atomic: all of its writes are kept or none. A write-ahead log lets the database recover after a crash."},
    {"network", "Congestion", "TCP doubles its window until a packet is lost, then halves it and grows slowly. So many senders share a line fairly."},
};
static const struct { const char *question, *id; } questions[] = {
    {"Can heat flow from cold to warm?", "second"},
    {"why does a crystal have no entropy at zero temperature", "third"},
    {"What is the most efficient engine possible?", "carnot"},
    {"when does a reaction happen spontaneously at constant pressure?", "gibbs"},
    {"How do real gases deviate from the ideal gas law?", "gas"},
    {"Who derived the distribution of molecular speeds?", "maxwell"},
    {"what did landauer show about the demon", "demon"},
    {"why does the temperature stay the same while ice is melting?", "phase"},
    {"Who explained black body radiation?", "radiation"},
    {"why are leaves green?", "photosynthesis"},
    {"How many ATP molecules come from sugar?", "respiration"},
    {"Who described the double helix?", "dna"},
    {"what is natural selection", "selection"},
    {"how is blood pumped to the lungs", "heart"},
    {"worst case of quicksort", "sort"},
    {"How are collisions resolved in a hash table?", "hash"},
    {"Does Dijkstra work with negative weights?", "graph"},
    {"how does a database recover from a crash", "database"},
    {"What does TCP do when packets get lost?", "network"},
    {"is energy conserved in a closed system?", "first"},
    {"Shwo me the Canrot cycle", "carnot"},
    {"mitochndria", "respiration"},
};
static const char *const strangers[] = {
    "Who won the football championship in 1974?",
    "How do I bake sourdough bread?",
    "Which bus goes to the harbour?",
    "What is the exchange rate of the yen?",
    "recommend a film with subtitles",
    "How tall is the cathedral in Ulm?",
};
// clang-format on

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void fill(void)
{
    course(ANN, "c");
    for (size_t i = 0; i < COUNT(items); i++) {
        struct doc d = {
            .course = "c", .id = items[i].id, .title = items[i].title};
        const char *one[] = {items[i].text, NULL};

        document(ANN, &d, one);
    }
}

TEST(questions_of_our_own_course_find_their_passages)
{
    size_t first = 0, answered = 0, sure = 0;

    open_all(NULL);
    fill();
    for (size_t i = 0; i < COUNT(questions); i++) {
        struct search s = search(ANN, "c", questions[i].question);
        struct best_sentence best;
        size_t n = 0;

        if (s.hits_n == 0 || strcmp(hit_id(&s, 0), questions[i].id) != 0) {
            printf("\"%s\" does not find %s first\n", questions[i].question,
                   questions[i].id);
            continue;
        }
        first++;
        sure += !s.low_confidence;
        CHECK_OK(retriever_sentences(re, &s, &best, 1, &n, &err), &err);
        answered += n == 1 && best.hit == 0;
    }
    CHECK(first + 1 >= COUNT(questions));
    CHECK(answered + 2 >= COUNT(questions));
    CHECK(sure + 4 >= COUNT(questions));
    close_all();
}

TEST(questions_about_other_things_have_low_confidence)
{
    open_all(NULL);
    fill();
    for (size_t i = 0; i < COUNT(strangers); i++) {
        struct search s = search(ANN, "c", strangers[i]);

        if (!s.low_confidence)
            FAIL("\"%s\": %g", strangers[i], s.confidence);
    }
    close_all();
}
