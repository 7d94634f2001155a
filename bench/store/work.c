/* work.c - sessions, answers and sources, made from numbers alone. */
#include <stdio.h>

#include "bench.h"
#include "store/document/document.h"
#include "store/session/course.h"
#include "store/session/message.h"

static const char *const vocabulary[] = {
    "entropy",    "measures", "disorder",   "isolated",    "system",
    "heat",       "flows",    "reservoir",  "equilibrium", "energy",
    "gradient",   "descent",  "converges",  "learning",    "rate",
    "matrix",     "vector",   "eigenvalue", "projection",  "linear",
    "membrane",   "protein",  "receptor",   "signal",      "pathway",
    "inflation",  "interest", "market",     "demand",      "supply",
    "treaty",     "border",   "century",    "empire",      "reform",
    "transistor", "voltage",  "current",    "amplifier",   "feedback",
    "hash",       "table",    "collision",  "bucket",      "lookup",
    "theorem",    "proof",    "lemma",      "induction",   "bound",
    "sample",     "variance", "estimator",  "likelihood",  "prior",
    "orbit",      "momentum", "rotation",   "inertia",     "torque",
    "catalyst",   "reaction", "enzyme",     "substrate"};
enum {
    WORDS = sizeof(vocabulary) / sizeof(vocabulary[0]),
    PREVIEW_WORDS = 10,
    SHARED_WORDS = 5, /* of a sentence, with its source's preview */
    OWN_WORDS = 4,
    COURSE_SOURCES = DOCUMENTS * SLIDES
};

uint64_t random_next(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);

    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

void uuid_text(uint64_t a, uint64_t b, char out[ID_BYTES])
{
    uint64_t state = a * 0x9E3779B97F4A7C15u + b;
    uint64_t high = random_next(&state), low = random_next(&state);

    snprintf(out, ID_BYTES, "%08x-%04x-4%03x-8%03x-%012llx",
             (unsigned)(high >> 32), (unsigned)(high >> 16) & 0xffff,
             (unsigned)high & 0xfff, (unsigned)(low >> 48) & 0xfff,
             (unsigned long long)low & 0xffffffffffff);
}

/* ---- Sources ------------------------------------------------------------ */

static size_t add_words(char *to, size_t at, size_t size, uint64_t *rng,
                        int words)
{
    for (int i = 0; i < words; i++)
        at += (size_t)snprintf(to + at, size - at, "%s%s", at ? " " : "",
                               vocabulary[random_next(rng) % WORDS]);
    return at;
}

/* Few sources are cited often, many seldom. */
static uint64_t pick_source(uint64_t *rng)
{
    double u = (double)(random_next(rng) >> 11) * 0x1p-53;

    return (uint64_t)(u * u * COURSE_SOURCES);
}

static void make_source(struct work_source *s, unsigned course, uint64_t number,
                        bool is_new)
{
    uint64_t rng = number * COURSES + course;
    uint64_t document = number / SLIDES % DOCUMENTS;

    s->number = number;
    s->id[0] = '\0';
    if (is_new)
        snprintf(s->id, sizeof(s->id), "x%llx", (unsigned long long)number);
    s->slide = (int)(number % SLIDES) + 1;
    uuid_text(1000 + course, document, s->document);
    uuid_text(1, course, s->course);
    uuid_text(2, course, s->owner);
    snprintf(s->title, sizeof(s->title), "Lecture %u: %s %s",
             (unsigned)document + 1, vocabulary[document % WORDS],
             vocabulary[(document * 7 + 3) % WORDS]);
    add_words(s->preview, 0, sizeof(s->preview), &rng, PREVIEW_WORDS);
    s->preview[0] = (char)(s->preview[0] & ~0x20); /* begins a sentence */
}

void work_source(struct work_source *s, unsigned course, uint64_t number)
{
    make_source(s, course, number, false);
}

static struct source source_of(const struct work_source *s)
{
    return (struct source){.type = FOOTNOTE_SLIDE,
                           .id = s->id[0] ? str_c(s->id) : STR_NONE,
                           .document = str_c(s->document),
                           .course = str_c(s->course),
                           .owner = str_c(s->owner),
                           .title = str_c(s->title),
                           .preview = str_c(s->preview),
                           .has_page = true,
                           .page = s->slide};
}

static bool is_repeated(const struct work *w, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (w->sources[i].number == w->sources[n].number)
            return true;
    return false;
}

static void make_sources(struct work *w, unsigned course, uint64_t *rng,
                         unsigned new_percent)
{
    for (size_t i = 0; i < SOURCES; i++) {
        bool is_new = random_next(rng) % 100 < new_percent;
        uint64_t number = is_new ? random_next(rng) : pick_source(rng);

        make_source(&w->sources[i], course, number, is_new);
        while (is_repeated(w, i)) {
            number = (number + 1) % COURSE_SOURCES;
            make_source(&w->sources[i], course, number, false);
        }
        w->refs[i] = (struct reference){.source = source_of(&w->sources[i]),
                                        .number = (uint32_t)i + 1};
    }
}

/* ---- Messages ----------------------------------------------------------- */

/* A sentence for each source: words of its preview, words of its own, and the
 * marker. */
static void make_content(struct work *w, uint64_t *rng)
{
    size_t at = 0, size = sizeof(w->content);

    for (size_t i = 0; i < SOURCES; i++) {
        const char *preview = w->sources[i].preview;
        const char *end = preview;

        for (int k = 0; k < SHARED_WORDS; k++)
            end = strchr(end + 1, ' ');
        at += (size_t)snprintf(w->content + at, size - at, "%s%.*s",
                               i ? " " : "", (int)(end - preview), preview);
        at = add_words(w->content, at, size, rng, OWN_WORDS);
        at += (size_t)snprintf(w->content + at, size - at, " [%zu].", i + 1);
    }
}

void work_session(struct work *w, uint64_t session)
{
    snprintf(w->user, sizeof(w->user), "user%u", (unsigned)(session % USERS));
    uuid_text(3, session, w->session);
    uuid_text(1, session % COURSES, w->course);
    w->who = (struct who){STR("bench"), str_c(w->user)};
}

void work_make(struct work *w, uint64_t session, uint32_t seq,
               unsigned new_percent)
{
    uint64_t rng = session * 1000003 + seq;

    work_session(w, session);
    make_sources(w, (unsigned)(session % COURSES), &rng, new_percent);
    make_content(w, &rng);
    w->op = (struct message_save){.message = {.session = str_c(w->session),
                                              .role = FOOTNOTE_ASSISTANT,
                                              .status = FOOTNOTE_COMPLETE,
                                              .content = str_c(w->content),
                                              .sources = w->refs,
                                              .sources_n = SOURCES},
                                  .course = str_c(w->course)};
}

/* ---- What is there before ----------------------------------------------- */

static void setup_document(struct lane *l, struct who owner, struct str course,
                           const char *id)
{
    struct document_put put = {.document = {.id = str_c(id),
                                            .course = course,
                                            .title = STR("Slides"),
                                            .kind = DOCUMENT_SLIDES}};
    struct document_status_set ready = {.document = str_c(id),
                                        .status = DOCUMENT_READY};
    struct footnote_err err;

    must(lane_run(&l->store, l->db, owner, OP(document_put), &put, &err), &err);
    must(lane_run(&l->store, l->db, owner, OP(document_status_set), &ready,
                  &err),
         &err);
}

void work_setup(struct lane *l)
{
    struct who owner = {STR("bench"), STR("owner")};
    struct footnote_err err;
    char course[ID_BYTES], document[ID_BYTES];

    must(db_begin(l->db, &err), &err);
    for (unsigned c = 0; c < COURSES; c++) {
        struct course_put put = {.id = str_c(course)};
        struct member_put all = {str_c(course), STR("*"), MEMBER_READER};

        uuid_text(1, c, course);
        put.id = all.course = str_c(course);
        must(lane_run(&l->store, l->db, owner, OP(course_put), &put, &err),
             &err);
        must(lane_run(&l->store, l->db, owner, OP(member_put), &all, &err),
             &err);
        for (unsigned d = 0; d < DOCUMENTS; d++) {
            uuid_text(1000 + c, d, document);
            setup_document(l, owner, str_c(course), document);
        }
    }
    must(db_commit(l->db, &err), &err);
}

/* ---- Order -------------------------------------------------------------- */

struct order order_of(uint64_t sessions, size_t active)
{
    return (struct order){.rng = 1, .end = sessions, .active_max = active};
}

bool order_next(struct order *o, struct turn *out)
{
    struct turn *t;

    while (o->active_n < o->active_max && o->next < o->end)
        o->active[o->active_n++] = (struct turn){.session = o->next++};
    if (o->active_n == 0)
        return false;
    t = &o->active[random_next(&o->rng) % o->active_n];
    *out = *t;
    if (++t->seq == MESSAGES)
        *t = o->active[--o->active_n];
    return true;
}
