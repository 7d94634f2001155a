/* real.c - how often the right page of real documents is found, and how often
 * the answer without a model holds the answer.
 *
 * A question names its document and its answer by regular expressions.  A hit
 * is right when its page (a passage, where there are no pages) is of that
 * document and has the answer. */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "base/json.h"
#include "chat/loop/options.h"
#include "chat/turn/extractive.h"
#include "cli/eval/collection.h"
#include "real.h"
#include "store/document/document.h"

enum { AMONG = 5, PASSAGES_OF_A_PAGE = 200, TYPES_MAX = 32 };
#define FILE_BYTES_MAX   ((size_t)64 << 20)
#define SEARCH_BYTES_MAX ((size_t)256 << 20)

struct question {
    struct str id, type, text;
    const struct str *before;
    size_t before_n;
    regex_t document, answer;
    bool answerable;
};

struct tally {
    struct str type;
    size_t n, none_n, first, among, answer_1, answer_3;
    size_t sure_absent, unsure, sure_none;
};

struct real {
    struct arena arena;
    struct store *store;
    struct retriever *retriever;
    struct json *files; /* of the ingestion: {"event", "file", "id"} */
    struct who who;
    bool each;
    struct tally all, types[TYPES_MAX];
    size_t types_n;
};

static void must(enum footnote_rc rc, const struct footnote_err *err)
{
    if (rc != FOOTNOTE_OK)
        die("real", err->text);
}

/* ---- Documents ----------------------------------------------------------- */

static struct json *read_lines(struct arena *a, const char *folder,
                               const char *name)
{
    struct str text, line;
    struct footnote_err err;
    struct json *first = NULL, **end = &first;

    must(collection_load(a, folder, name, &text, &err), &err);
    while (collection_next_line(&text, &line)) {
        must(json_read(a, line, end, &err), &err);
        end = &(*end)->next;
    }
    return first;
}

static void open_documents(struct real *r, const char *folder)
{
    struct retriever_options o = {.folder = NULL};
    char url[4096];
    struct footnote_err err;

    snprintf(url, sizeof(url), "sqlite:%s/data/footnote.db", folder);
    r->files = read_lines(&r->arena, folder, "ingest.jsonl");
    r->who = (struct who){STR("default"), STR("local")};
    must(store_open(url, &r->store, &err), &err);
    must(retriever_open(r->store, &o, &r->retriever, &err), &err);
}

static struct str file_of(const struct real *r, struct str id)
{
    for (const struct json *f = r->files; f; f = f->next)
        if (str_eq(json_text(f, STR("id")), id))
            return json_text(f, STR("file"));
    return STR("");
}

/* ---- Questions ----------------------------------------------------------- */

static bool matches(struct arena *a, const regex_t *e, struct str text)
{
    struct str t = arena_printf(a, "%.*s", STR_ARG(text));

    return t.p && regexec(e, t.p, 0, NULL, 0) == 0;
}

static void compile(struct arena *a, regex_t *out, struct str pattern)
{
    struct str p = arena_printf(a, "%.*s", STR_ARG(pattern));

    if (!p.p || regcomp(out, p.p, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
        die(p.p, "is no regular expression");
}

static void read_before(struct arena *a, const struct json *list,
                        struct question *q)
{
    const struct json *first = list ? list->first : NULL;
    struct str *before;
    size_t n = 0;

    for (const struct json *t = first; t; t = t->next)
        n++;
    before = arena_many(a, n + 1, struct str);
    if (!before)
        die("questions", "need more memory");
    for (const struct json *t = first; t; t = t->next)
        before[q->before_n++] = t->s;
    q->before = before;
}

static void read_question(struct arena *a, const struct json *o,
                          struct question *q)
{
    *q = (struct question){.id = json_text(o, STR("id")),
                           .type = json_text(o, STR("type")),
                           .text = json_text(o, STR("question"))};
    read_before(a, json_get(o, STR("before")), q);
    if (!q->text.p || !q->type.p)
        die("questions", "need question and type");
    q->answerable = json_text(o, STR("answer")).p != NULL;
    if (!q->answerable)
        return;
    compile(a, &q->document, json_text(o, STR("document")));
    compile(a, &q->answer, json_text(o, STR("answer")));
}

/* ---- One question -------------------------------------------------------- */

/* The page's text, or the passage's. */
static struct str page_text(const struct real *r, struct arena *a,
                            const struct hit *h)
{
    struct passages_read op = {.document = h->source.document,
                               .page = h->source.page,
                               .limit = PASSAGES_OF_A_PAGE};
    struct footnote_err err;
    struct str all = h->text;

    if (!h->source.has_page)
        return all;
    must(store_read(r->store, r->who, a, OP(passages_read), &op, &err), &err);
    for (size_t i = 0; i < op.passages_n; i++)
        all = arena_printf(a, "%.*s\n%.*s", STR_ARG(all),
                           STR_ARG(op.passages[i].text));
    return all;
}

static bool is_right(const struct real *r, struct arena *a,
                     const struct question *q, const struct hit *h)
{
    return matches(a, &q->document, file_of(r, h->source.document)) &&
           matches(a, &q->answer, page_text(r, a, h));
}

struct outcome {
    size_t rank; /* from 1; 0: not found */
    bool answer_1, answer_3, sure;
    double confidence;
    struct str answer;
};

static void ask(const struct real *r, struct arena *a, const struct question *q,
                struct outcome *out)
{
    struct search s = {.who = r->who,
                       .query = q->text,
                       .earlier = q->before,
                       .earlier_n = q->before_n,
                       .limit = CHAT_SOURCES_DEFAULT};
    struct best_sentence best[EXTRACTIVE_SENTENCES];
    struct footnote_err err;
    struct str answer = STR("");
    size_t n = 0;

    *out = (struct outcome){.rank = 0};
    must(retriever_search(r->retriever, a, &s, &err), &err);
    must(retriever_sentences(r->retriever, &s, best, EXTRACTIVE_SENTENCES, &n,
                             &err),
         &err);
    out->sure = !s.low_confidence;
    out->confidence = s.confidence;
    for (size_t i = 0; i < n; i++) {
        answer = arena_printf(a, "%.*s %.*s", STR_ARG(answer),
                              STR_ARG(best[i].sentence));
        if (i == 0 && q->answerable)
            out->answer_1 = matches(a, &q->answer, answer);
    }
    out->answer = answer;
    if (!q->answerable)
        return;
    out->answer_3 = matches(a, &q->answer, answer);
    for (size_t i = 0; i < s.hits_n && i < AMONG && !out->rank; i++)
        if (is_right(r, a, q, &s.hits[i]))
            out->rank = i + 1;
}

/* ---- All questions ------------------------------------------------------- */

static void count(struct tally *t, const struct question *q,
                  const struct outcome *o)
{
    if (!q->answerable) {
        t->none_n++;
        t->sure_none += o->sure;
        return;
    }
    t->n++;
    t->first += o->rank == 1;
    t->among += o->rank > 0;
    t->answer_1 += o->answer_1;
    t->answer_3 += o->answer_3;
    t->sure_absent += o->sure && !o->answer_3;
    t->unsure += !o->sure;
}

static struct tally *tally_of(struct real *r, struct str type)
{
    for (size_t i = 0; i < r->types_n; i++)
        if (str_eq(r->types[i].type, type))
            return &r->types[i];
    if (r->types_n == TYPES_MAX)
        die("questions", "have too many types");
    r->types[r->types_n] = (struct tally){.type = type};
    return &r->types[r->types_n++];
}

static void print_each(const struct question *q, const struct outcome *o)
{
    printf("%-4.*s %s %zu %s%s %.2f  %.*s\n     %.300s\n", STR_ARG(q->id),
           o->sure ? "sure  " : "unsure", o->rank, o->answer_1 ? "1" : "-",
           o->answer_3 ? "3" : "-", o->confidence, STR_ARG(q->text),
           o->answer.p);
}

static void print_tally(const struct tally *t, const char *name)
{
    printf("%-12s %4zu %6zu %6zu %8zu %8zu %8zu %8zu   %zu of %zu\n", name,
           t->n, t->first, t->among, t->answer_1, t->answer_3, t->sure_absent,
           t->unsure, t->sure_none, t->none_n);
}

static void measure_file(struct real *r, const char *path)
{
    struct json *lines = read_lines(&r->arena, path[0] == '/' ? "" : ".", path);
    struct tally *t = &r->all;

    r->types_n = 0;
    *t = (struct tally){.n = 0};
    for (struct json *o = lines; o; o = o->next) {
        struct arena a = ARENA(SEARCH_BYTES_MAX);
        struct question q;
        struct outcome got;

        read_question(&r->arena, o, &q);
        ask(r, &a, &q, &got);
        count(t, &q, &got);
        count(tally_of(r, q.type), &q, &got);
        if (r->each)
            print_each(&q, &got);
        arena_free(&a);
    }
    printf("%s\n%-12s %4s %6s %6s %8s %8s %8s %8s   %s\n", path, "", "n",
           "first", "in 5", "sent. 1", "sent. 3", "absent", "unsure",
           "sure of none");
    for (size_t i = 0; i < r->types_n; i++) {
        char name[64];
        snprintf(name, sizeof(name), "%.*s", STR_ARG(r->types[i].type));
        print_tally(&r->types[i], name);
    }
    print_tally(t, "all");
    double n = t->n ? (double)t->n / 100 : 1;
    printf("%-12s      %5.0f%% %5.0f%% %7.0f%% %7.0f%% %7.0f%% %7.0f%%\n", "",
           (double)t->first / n, (double)t->among / n, (double)t->answer_1 / n,
           (double)t->answer_3 / n, (double)t->sure_absent / n,
           (double)t->unsure / n);
    printf("%-12s      %6s %6s %8s %8s %8s\n\n", "wanted", ">= 55", ">= 85", "",
           ">= 60", "<= 27");
}

void real_measure(const char *folder, const char *const *questions, int n,
                  bool each)
{
    struct real r = {.arena = ARENA(FILE_BYTES_MAX * 16), .each = each};

    open_documents(&r, folder);
    for (int i = 0; i < n; i++)
        measure_file(&r, questions[i]);
    retriever_close(r.retriever);
    store_close(r.store);
    arena_free(&r.arena);
}
