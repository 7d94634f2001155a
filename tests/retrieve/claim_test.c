/* claim_test.c - which words of a passage carry a claim, and where they stand.
 */
#include "base/buf.h"
#include "retrieve/search/claim.h"
#include "test.h"

#define PASSAGE                                                                \
    "Heat flows by itself. See Fig. 3 for an engine between two reser-\n"      \
    "voirs. Its best ef\xef\xac\x81"                                           \
    "ciency depends on temperatures alone.\n\n"                                \
    "\xe2\x97\xae Steam engines have to be\nfilled with water"

static struct arena a = {.max_bytes = 64 * 1024 * 1024};
static struct footnote_err err;

static struct claim_passage passage(const char *text)
{
    struct claim_passage p;

    CHECK_OK(claim_passage_read(&a, str_c(text), &p, &err), &err);
    return p;
}

/* The marked words, with a space behind each. */
static struct str shown(const struct str *words, size_t n, const bool *marked)
{
    struct buf b = BUF(1 << 20);
    struct str out;

    for (size_t i = 0; i < n; i++) {
        if (!marked[i])
            continue;
        buf_add(&b, words[i]);
        buf_add_c(&b, ' ');
    }
    out = arena_str(&a, buf_str(&b));
    buf_free(&b);
    return out.p ? out : STR("");
}

static struct str found(const char *text, const char *claim, bool exact)
{
    struct claim_passage p = passage(text);
    struct claim c = {.text = str_c(claim)};

    CHECK_OK(claim_find(&a, &p, &c, &err), &err);
    CHECK_INT(c.exact, exact);
    return shown(p.words, p.words_n, c.marked);
}

TEST(claim_that_is_verbatim_marks_its_own_words)
{
    CHECK_TEXT(found(PASSAGE, "Heat flows by itself.", true),
               STR("Heat flows by itself. "));
    CHECK_TEXT(found(PASSAGE,
                     "HEAT \xe2\x80\x9c"
                     "flows by\nitself",
                     true),
               STR("Heat flows by itself. "));
    /* A hyphen, a ligature and a line of a slide that goes on. */
    CHECK_TEXT(
        found(PASSAGE, "between two reservoirs. Its best efficiency", true),
        STR("between two reser- voirs. Its best ef\xef\xac\x81"
            "ciency "));
    CHECK_TEXT(
        found(PASSAGE, "Steam engines have to be filled with water", true),
        STR("Steam engines have to be filled with water "));
}

/* "Fig." looks like an end.  What is before is not verbatim. */
TEST(claim_has_as_many_sentences_as_are_verbatim)
{
    CHECK_TEXT(found(PASSAGE,
                     "Otters swim. See Fig. 3 for an engine between two "
                     "reservoirs.",
                     true),
               STR("See Fig. 3 for an engine between two reser- voirs. "));
}

TEST(claim_in_other_words_marks_the_sentence_that_supports_it)
{
    CHECK_TEXT(found(PASSAGE,
                     "Two things matter. Only the temperatures decide how good "
                     "its efficiency is at best",
                     false),
               STR("Its best ef\xef\xac\x81"
                   "ciency depends on temperatures alone. "));
    CHECK_TEXT(found(PASSAGE, "Otters hold hands", false), STR(""));
    CHECK_TEXT(found(PASSAGE, "", false), STR(""));
    CHECK_TEXT(found("", "Otters", false), STR(""));
    CHECK_TEXT(found("...", "!?", false), STR(""));
}

/* ---- On pages ----------------------------------------------------------- */

/* Words of pages, which end with a "|". */
static struct claim_place pages_of(const char *text, uint32_t from)
{
    struct claim_place place = {.words = NULL};
    struct str *words;
    uint32_t n = 0;
    size_t k = 0;

    CHECK_OK(split_words(&a, str_c(text), 1000, &words, &place.words_n, &err),
             &err);
    uint32_t *page = arena_many(&a, place.words_n, uint32_t);
    for (size_t i = 0; i < place.words_n; i++) {
        if (str_eq(words[i], STR("|"))) {
            n++;
            continue;
        }
        if (n == from && (k == 0 || page[k - 1] != n))
            place.from = k;
        words[k] = words[i];
        page[k++] = n;
    }
    place.words = words;
    place.page = page;
    place.words_n = k;
    return place;
}

static struct str placed(const char *text, const char *claim,
                         struct claim_place *place)
{
    struct claim_passage p = passage(text);
    struct claim c = {.text = str_c(claim)};

    CHECK_OK(claim_find(&a, &p, &c, &err), &err);
    CHECK_OK(claim_find_place(&a, &p, &c, 1, place, &err), &err);
    return shown(place->words, place->words_n, place->claims[0]);
}

TEST(claim_goes_on_behind_the_foot_and_the_head_of_pages)
{
    struct claim_place pl =
        pages_of("Some words. Heat flows from warm bod- Notes on heat 7 | "
                 "Notes on heat ies to cold ones. The rest of the page.",
                 0);

    CHECK_TEXT(placed("Heat flows from warm bodies to cold ones. The rest",
                      "Heat flows from warm bodies to cold ones.", &pl),
               STR("Heat flows from warm bod- ies to cold ones. "));
    CHECK_TEXT(shown(pl.words, pl.words_n, pl.passage),
               STR("Heat flows from warm bod- ies to cold ones. The rest "));
}

TEST(claim_begins_with_one_word_on_the_page_before)
{
    struct claim_place pl =
        pages_of("Far off. It 7 | is necessary to fill the engine.", 1);

    CHECK_TEXT(placed("It is necessary to fill the engine.",
                      "It is necessary to fill the engine.", &pl),
               STR("It is necessary to fill the engine. "));
}

/* The same slide three times: the one that is named is taken. */
TEST(claim_is_on_the_page_that_is_named)
{
    const char *all = "Steam engines need water | Steam engines need water | "
                      "Steam engines need water";

    for (uint32_t n = 0; n < 3; n++) {
        struct claim_place pl = pages_of(all, n);

        CHECK_TEXT(
            placed("Steam engines need water", "Steam engines need water", &pl),
            STR("Steam engines need water "));
        for (size_t i = 0; i < pl.words_n; i++)
            CHECK_INT(pl.claims[0][i], pl.page[i] == n);
    }
}

TEST(claim_ends_with_one_word_on_the_page_behind)
{
    struct claim_place pl =
        pages_of("Heat flows from warm to 7 | Notes on heat us. Far off.", 0);

    CHECK_TEXT(placed("Heat flows from warm to us.",
                      "Heat flows from warm to us.", &pl),
               STR("Heat flows from warm to us. "));
}

/* A slide whose second column is read first, and one that is like it. */
TEST(claim_stays_on_its_page_when_columns_are_read_in_another_order)
{
    struct claim_place pl =
        pages_of("Heat flows downhill here Steam lifts pistons | "
                 "So: heat flows downhill too",
                 0);

    CHECK_TEXT(placed("Steam lifts pistons Heat flows downhill",
                      "Heat flows downhill", &pl),
               STR("Heat flows downhill "));
    CHECK(pl.claims[0][0] && !pl.claims[0][8]);
}

/* "%." is a word without letters. */
TEST(claim_ends_with_its_signs)
{
    struct claim_place pl = pages_of("So at most 62.5 %. - Then more.", 0);

    CHECK_TEXT(
        placed("So at most 62.5 %. - Then more.", "at most 62.5 %.", &pl),
        STR("at most 62.5 %. "));
}

/* The claim's words are elsewhere on the page as well. */
TEST(claim_is_marked_inside_of_its_passage)
{
    struct claim_place pl = pages_of(
        "Heat flows by itself. One. Two. Heat flows by itself. Three.", 0);

    CHECK_TEXT(placed("Two. Heat flows by itself. Three.",
                      "Heat flows by itself.", &pl),
               STR("Heat flows by itself. "));
    CHECK(!pl.claims[0][0] && pl.claims[0][6]);
}

TEST(claim_of_a_passage_that_is_not_there_marks_nothing)
{
    struct claim_place pl = pages_of("Otters hold hands while they sleep", 0);

    CHECK_TEXT(placed("Heat flows by itself from warm to cold bodies.",
                      "Heat flows by itself", &pl),
               STR(""));
    CHECK_TEXT(shown(pl.words, pl.words_n, pl.passage), STR(""));
    pl = pages_of("", 0);
    CHECK_TEXT(placed(PASSAGE, "Heat flows by itself.", &pl), STR(""));
}
