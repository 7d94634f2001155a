/* collection.c - reads a collection: docs.jsonl, queries.jsonl, qrels.tsv. */
#include "cli/eval/collection.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "config/table.h"

#define FILE_BYTES_MAX ((off_t)1 << 30)

enum footnote_rc collection_load(struct arena *a, const char *folder,
                                 const char *name, struct str *out,
                                 struct footnote_err *err)
{
    struct str path = arena_printf(a, "%s/%s", folder, name);
    struct stat st;

    TRY(arena_rc(a, err));
    if (stat(path.p, &st) != 0)
        return err_set(err, FOOTNOTE_NOTFOUND, "%.150s is not there", path.p);
    if (!S_ISREG(st.st_mode) || st.st_size > FILE_BYTES_MAX)
        return err_set(err, FOOTNOTE_TOOBIG, "%.150s: at most 1 GB", path.p);
    return config_load(a, path.p, (size_t)st.st_size + 1, out, err);
}

bool collection_next_line(struct str *rest, struct str *line)
{
    while (rest->n) {
        size_t n = str_find(*rest, '\n');

        *line = (struct str){rest->p, n};
        *rest = str_skip(*rest, n < rest->n ? n + 1 : n);
        if (line->n)
            return true;
    }
    return false;
}

size_t collection_count_lines(struct str text)
{
    struct str line;
    size_t n = 0;

    while (collection_next_line(&text, &line))
        n++;
    return n;
}

/* ---- Documents ---------------------------------------------------------- */

static enum footnote_rc read_docs(struct arena *a, const char *folder,
                                  struct collection *c,
                                  struct footnote_err *err)
{
    struct str text, line;

    TRY(collection_load(a, folder, "docs.jsonl", &text, err));
    c->docs =
        arena_many(a, collection_count_lines(text) + 1, struct collection_doc);
    TRY(arena_rc(a, err));
    while (collection_next_line(&text, &line)) {
        struct collection_doc *d = &c->docs[c->docs_n++];
        struct json *o;

        if (json_read(a, line, &o, err) != FOOTNOTE_OK) {
            err_prefix(err, "docs.jsonl, line %zu", c->docs_n);
            return FOOTNOTE_INVALID;
        }
        d->id = json_text(o, STR("id"));
        d->title = json_text(o, STR("title"));
        d->text = json_text(o, STR("text"));
        d->scope = json_text(o, STR("scope"));
        if (!d->id.p || !d->text.p)
            return err_set(err, FOOTNOTE_INVALID,
                           "docs.jsonl, line %zu: id or text is missing",
                           c->docs_n);
    }
    return FOOTNOTE_OK;
}

static int by_scope(const void *a, const void *b, void *arg)
{
    const struct collection_doc *docs = arg;
    const uint32_t *x = a, *y = b;
    int order = str_cmp(docs[*x].scope, docs[*y].scope);

    return order ? order : *x < *y ? -1 : *x > *y;
}

/* Numbers the documents by scope; a doc without one is a document alone. */
static enum footnote_rc number_documents(struct arena *a, struct collection *c,
                                         struct footnote_err *err)
{
    c->order = arena_many(a, c->docs_n + 1, uint32_t);
    c->first = arena_many(a, c->docs_n + 1, uint32_t);
    TRY(arena_rc(a, err));
    for (uint32_t i = 0; i < c->docs_n; i++)
        c->order[i] = i;
    qsort_r(c->order, c->docs_n, sizeof(*c->order), by_scope, c->docs);
    for (uint32_t i = 0; i < c->docs_n; i++) {
        struct collection_doc *d = &c->docs[c->order[i]];
        bool same = i > 0 && d->scope.p &&
                    str_eq(d->scope, c->docs[c->order[i - 1]].scope);

        if (!same)
            c->first[c->documents_n++] = i;
        d->document = c->documents_n - 1;
        d->position = i - c->first[d->document] + 1;
    }
    assert(c->documents_n <= c->docs_n);
    c->first[c->documents_n] = (uint32_t)c->docs_n;
    return FOOTNOTE_OK;
}

/* ---- Queries ------------------------------------------------------------ */

/* The last text of the user in [["user", "..."], ["agent", "..."]]. */
static struct str last_user(const struct json *history)
{
    struct str last = STR_NONE;

    if (!history || history->type != JSON_ARRAY)
        return last;
    for (const struct json *t = history->first; t; t = t->next) {
        const struct json *who = t->type == JSON_ARRAY ? t->first : NULL;

        if (who && who->type == JSON_STR && str_eq(who->s, STR("user")) &&
            who->next && who->next->type == JSON_STR)
            last = who->next->s;
    }
    return last;
}

static enum footnote_rc read_answers(struct arena *a, const struct json *list,
                                     struct collection_query *q,
                                     struct footnote_err *err)
{
    struct str *answers;

    if (!list || list->type != JSON_ARRAY)
        return FOOTNOTE_OK;
    answers = arena_many(a, list->n + 1, struct str);
    TRY(arena_rc(a, err));
    for (const struct json *t = list->first; t; t = t->next)
        if (t->type == JSON_STR)
            answers[q->answers_n++] = t->s;
    q->answers = answers;
    return FOOTNOTE_OK;
}

static enum footnote_rc read_queries(struct arena *a, const char *folder,
                                     struct collection *c,
                                     struct footnote_err *err)
{
    struct str text, line;

    TRY(collection_load(a, folder, "queries.jsonl", &text, err));
    c->queries = arena_many(a, collection_count_lines(text) + 1,
                            struct collection_query);
    TRY(arena_rc(a, err));
    while (collection_next_line(&text, &line)) {
        struct collection_query *q = &c->queries[c->queries_n++];
        struct json *o;

        if (json_read(a, line, &o, err) != FOOTNOTE_OK) {
            err_prefix(err, "queries.jsonl, line %zu", c->queries_n);
            return FOOTNOTE_INVALID;
        }
        q->id = json_text(o, STR("id"));
        q->text = json_text(o, STR("text"));
        q->scope = json_text(o, STR("scope"));
        q->previous = last_user(json_get(o, STR("history")));
        TRY(read_answers(a, json_get(o, STR("answers")), q, err));
        if (!q->id.p || !q->text.p)
            return err_set(err, FOOTNOTE_INVALID,
                           "queries.jsonl, line %zu: id or text is missing",
                           c->queries_n);
    }
    return FOOTNOTE_OK;
}

/* ---- Judgements --------------------------------------------------------- */

struct qrel {
    struct str query, doc;
    int64_t grade;
};

static bool read_qrel(struct str line, struct qrel *out)
{
    size_t first = str_find(line, '\t');
    struct str rest = str_skip(line, first < line.n ? first + 1 : first);
    size_t second = str_find(rest, '\t');
    struct str grade = str_skip(rest, second < rest.n ? second + 1 : second);

    while (grade.n &&
           (grade.p[grade.n - 1] == '\r' || grade.p[grade.n - 1] == ' '))
        grade.n--;
    out->query = (struct str){line.p, first};
    out->doc = (struct str){rest.p, second};
    return str_i64(grade, &out->grade);
}

struct id_index { /* sorted by id, for bsearch */
    struct str id;
    uint32_t index;
};

static int by_id(const void *a, const void *b)
{
    const struct id_index *x = a, *y = b;

    return str_cmp(x->id, y->id);
}

static const struct id_index *find_id(const struct id_index *names, size_t n,
                                      struct str id)
{
    struct id_index key = {.id = id};

    return n ? bsearch(&key, names, n, sizeof(key), by_id) : NULL;
}

static enum footnote_rc add_judgement(struct arena *a,
                                      struct collection_query *q, uint32_t doc,
                                      int grade, struct footnote_err *err)
{
    assert(grade > 0 && grade <= COLLECTION_GRADE_MAX);
    if ((q->judgements_n & (q->judgements_n - 1)) == 0) {
        struct judgement *more = arena_many(
            a, q->judgements_n ? q->judgements_n * 2 : 1, struct judgement);

        TRY(arena_rc(a, err));
        if (q->judgements_n)
            memcpy(more, q->judgements, q->judgements_n * sizeof(*more));
        q->judgements = more;
    }
    q->judgements[q->judgements_n++] = (struct judgement){doc, grade};
    return FOOTNOTE_OK;
}

static enum footnote_rc read_qrels(struct arena *a, const char *folder,
                                   struct collection *c,
                                   struct footnote_err *err)
{
    struct id_index *docs = arena_many(a, c->docs_n + 1, struct id_index);
    struct id_index *queries = arena_many(a, c->queries_n + 1, struct id_index);
    struct str text, line;

    TRY(arena_rc(a, err));
    for (uint32_t i = 0; i < c->docs_n; i++)
        docs[i] = (struct id_index){c->docs[i].id, i};
    for (uint32_t i = 0; i < c->queries_n; i++)
        queries[i] = (struct id_index){c->queries[i].id, i};
    qsort(docs, c->docs_n, sizeof(*docs), by_id);
    qsort(queries, c->queries_n, sizeof(*queries), by_id);
    TRY(collection_load(a, folder, "qrels.tsv", &text, err));
    while (collection_next_line(&text, &line)) {
        const struct id_index *doc, *query;
        struct qrel r;

        if (!read_qrel(line, &r)) /* the line with the column names */
            continue;
        doc = find_id(docs, c->docs_n, r.doc);
        query = find_id(queries, c->queries_n, r.query);
        if (doc && query && r.grade > 0)
            TRY(add_judgement(a, &c->queries[query->index], doc->index,
                              r.grade < COLLECTION_GRADE_MAX
                                  ? (int)r.grade
                                  : COLLECTION_GRADE_MAX,
                              err));
    }
    return FOOTNOTE_OK;
}

enum footnote_rc collection_read(struct arena *a, const char *folder,
                                 struct collection *out,
                                 struct footnote_err *err)
{
    *out = (struct collection){.docs_n = 0};
    TRY(read_docs(a, folder, out, err));
    TRY(number_documents(a, out, err));
    TRY(read_queries(a, folder, out, err));
    return read_qrels(a, folder, out, err);
}

static bool is_judged(const struct collection *c, uint32_t doc)
{
    for (size_t i = 0; i < c->queries_n; i++)
        for (size_t k = 0; k < c->queries[i].judgements_n; k++)
            if (c->queries[i].judgements[k].doc == doc)
                return true;
    return false;
}

enum footnote_rc collection_without_judged(struct arena *a,
                                           const struct collection *c,
                                           struct collection *out,
                                           struct footnote_err *err)
{
    *out = (struct collection){
        .docs = arena_many(a, c->docs_n + 1, struct collection_doc),
        .queries = arena_many(a, c->queries_n + 1, struct collection_query),
        .queries_n = c->queries_n};
    TRY(arena_rc(a, err));
    for (uint32_t i = 0; i < c->docs_n; i++)
        if (!is_judged(c, i))
            out->docs[out->docs_n++] = c->docs[i];
    for (size_t i = 0; i < c->queries_n; i++) {
        out->queries[i] = c->queries[i];
        out->queries[i].judgements_n = 0;
    }
    return number_documents(a, out, err);
}
