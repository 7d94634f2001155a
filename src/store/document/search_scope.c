/* search_scope.c - where a search may look, and what its session has cited.
 *
 * A session has cited a document with each answer whose text has the number of
 * a source of it.  Answers that a caller saved also cite what their docRefs
 * name, since such callers know no numbers; the docRefs of our own answers say
 * what was found, and would make it be found again. */
#include "store/document/document.h"
#include "store/document/document_row.h"
#include "store/document/scope_documents.h"
#include "store/document/search.h"
#include "store/list.h"
#include "store/session/course.h"
#include "store/session/course_row.h"
#include "store/session/path.h"
#include "store/session/session_row.h"
#include "store/source/refs.h"
#include "store/strings.h"

/* Of the newest answers with docRefs, and of the names in them. */
enum { NAMING_ANSWERS_MAX = 200, NAMES_MAX = 100 };

/* ---- Courses ------------------------------------------------------------ */

static enum footnote_rc add_course(struct tx *tx, struct search_scope *op,
                                   struct scope_course course,
                                   struct footnote_err *err)
{
    struct scope_course *c =
        list_add(tx->out, &op->courses, &op->courses_n, sizeof(*c));

    if (c) {
        *c = course;
        c->id = arena_str(tx->out, course.id);
    }
    return arena_rc(tx->out, err);
}

/* ---- What was cited by number ------------------------------------------- */

/* The sources that a session's answers cited, and which answer cited which. */
struct cited {
    int64_t *sources, *times, *documents;
    size_t n;
    struct citing {
        int64_t answer;
        size_t source; /* index */
    } * citing;        /* by answer */
    size_t citing_n;
};

static enum footnote_rc count(struct tx *tx, struct cited *c, int64_t answer,
                              int64_t source, struct footnote_err *err)
{
    size_t n = c->n, k = n, i = 0;
    struct citing *citing;

    while (i < c->n && c->sources[i] != source)
        i++;
    if (i == c->n &&
        list_add(tx->scratch, &c->sources, &c->n, sizeof(source)) &&
        list_add(tx->scratch, &c->documents, &k, sizeof(source)) &&
        list_add(tx->scratch, &c->times, &n, sizeof(source)))
        c->sources[i] = source;
    citing =
        list_add(tx->scratch, &c->citing, &c->citing_n, sizeof(*c->citing));
    TRY(arena_rc(tx->scratch, err));
    *citing = (struct citing){answer, i};
    c->times[i]++;
    return FOOTNOTE_OK;
}

static enum footnote_rc count_refs(struct tx *tx, int64_t answer,
                                   struct str packed, struct cited *out,
                                   struct footnote_err *err)
{
    struct refs refs;

    TRY(refs_begin(&refs, packed, err));
    while (refs.n) {
        struct ref r;

        TRY(refs_next(&refs, &r, err));
        if (r.spans.p)
            TRY(count(tx, out, answer, r.source, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc count_cited(struct tx *tx, int64_t session,
                                    struct cited *out, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_REFS_FROM, &cur, err, db_i64(tx->tenant),
               db_i64(session), db_i64(0)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        if (db_col_i64(cur, COL_REFS_FROM_SHOWN) == SHOWN_ON)
            TRY(count_refs(tx, db_col_i64(cur, COL_REFS_FROM_SEQ),
                           db_col_str(cur, COL_REFS_FROM_REFS), out, err));
    }
}

static enum footnote_rc add_times(struct tx *tx, struct search_scope *op,
                                  int64_t document, struct str key,
                                  int64_t times, struct footnote_err *err)
{
    struct scope_citation *c = NULL;

    for (size_t i = 0; i < op->citations_n && !c; i++)
        if (op->citations[i].document_key == document &&
            str_eq(op->citations[i].source_key, key))
            c = &op->citations[i];
    if (!c)
        c = list_add(tx->out, &op->citations, &op->citations_n, sizeof(*c));
    if (!c)
        return arena_rc(tx->out, err);
    c->document_key = document;
    c->source_key = arena_str(tx->out, key);
    c->cited_n += times;
    return arena_rc(tx->out, err);
}

/* The same passage may be pooled twice, of two versions of its document. */
static enum footnote_rc add_citation(struct tx *tx, struct search_scope *op,
                                     struct db_cur *cur, struct cited *cited,
                                     struct footnote_err *err)
{
    int64_t document = db_col_i64(cur, COL_SOURCES_OF_DOCUMENT);
    size_t at = 0;

    while (at < cited->n &&
           cited->sources[at] != db_col_i64(cur, COL_SOURCES_OF_SOURCE))
        at++;
    if (document == 0 || at == cited->n)
        return FOOTNOTE_OK;
    cited->documents[at] = document;
    return add_times(tx, op, document,
                     db_col_str(cur, COL_SOURCES_OF_SOURCE_KEY),
                     cited->times[at], err);
}

static enum footnote_rc add_cited(struct tx *tx, struct search_scope *op,
                                  struct cited *cited, struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct str packed;

    if (cited->n == 0)
        return FOOTNOTE_OK;
    TRY(keys_pack(tx->scratch, cited->sources, cited->n, &packed, err));
    TRY(db_run(tx->db, STMT_SOURCES_OF, &cur, err, db_text(packed),
               db_i64(tx->tenant)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(add_citation(tx, op, cur, cited, err));
    }
}

/* ---- What was cited by docRefs ------------------------------------------ */

struct named {
    struct str *names; /* each once */
    int64_t *documents;
    size_t n;
    struct naming {
        int64_t answer;
        size_t name; /* index */
    } * naming;
    size_t naming_n;
};

static enum footnote_rc add_name(struct tx *tx, struct named *named,
                                 int64_t answer, struct str name,
                                 struct footnote_err *err)
{
    size_t i = 0, k = named->n;
    struct naming *naming;

    while (i < named->n && !str_eq(named->names[i], name))
        i++;
    if (i == NAMES_MAX)
        return FOOTNOTE_OK;
    if (i == named->n &&
        list_add(tx->scratch, &named->names, &named->n, sizeof(name)) &&
        list_add(tx->scratch, &named->documents, &k, sizeof(int64_t)))
        named->names[i] = name;
    naming = list_add(tx->scratch, &named->naming, &named->naming_n,
                      sizeof(*naming));
    if (naming)
        *naming = (struct naming){answer, i};
    return arena_rc(tx->scratch, err);
}

/* A list that cannot be read names nothing; reading its message tells of it. */
static enum footnote_rc read_names(struct tx *tx, int64_t session,
                                   struct named *named,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(tx->db, STMT_DOC_REFS_FROM, &cur, err, db_i64(tx->tenant),
               db_i64(session), db_i64(NAMING_ANSWERS_MAX)));
    for (;;) {
        const struct str *names = NULL;
        size_t n = 0;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        (void)strings_unpack(tx->scratch,
                             db_col_str(cur, COL_DOC_REFS_FROM_DOC_REFS),
                             &names, &n, NULL);
        TRY(arena_rc(tx->scratch, err));
        for (size_t i = 0; i < n; i++)
            TRY(add_name(tx, named, db_col_i64(cur, COL_DOC_REFS_FROM_SEQ),
                         names[i], err));
    }
}

/* Documents of the courses that are searched, by id or as "date:title".  When
 * a name fits several, the first course has it, and the older document. */
static enum footnote_rc find_named(struct tx *tx, const struct search_scope *op,
                                   struct named *named,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    int64_t *courses = arena_many(tx->scratch, op->courses_n + 1, int64_t);
    struct str names, keys;

    TRY(arena_rc(tx->scratch, err));
    for (size_t i = 0; i < op->courses_n; i++)
        courses[i] = op->courses[i].key;
    TRY(strings_pack(tx, named->names, named->n, &names, err));
    TRY(keys_pack(tx->scratch, courses, op->courses_n, &keys, err));
    TRY(db_run(tx->db, STMT_DOCUMENTS_NAMED, &cur, err, db_i64(tx->tenant),
               db_text(names), db_text(keys)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        for (size_t i = 0; i < named->n; i++)
            if (named->documents[i] == 0 &&
                str_eq(named->names[i],
                       db_col_str(cur, COL_DOCUMENTS_NAMED_NAME)))
                named->documents[i] =
                    db_col_i64(cur, COL_DOCUMENTS_NAMED_DOCUMENT);
    }
}

/* Whether the answer cites the document by a number, or by a name before. */
static bool is_counted(const struct cited *cited, const struct named *named,
                       size_t naming)
{
    const struct naming *it = &named->naming[naming];
    int64_t document = named->documents[it->name];
    size_t low = 0, high = cited->citing_n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (cited->citing[mid].answer < it->answer)
            low = mid + 1;
        else
            high = mid;
    }
    for (; low < cited->citing_n && cited->citing[low].answer == it->answer;
         low++)
        if (cited->documents[cited->citing[low].source] == document)
            return true;
    while (naming-- > 0 && named->naming[naming].answer == it->answer)
        if (named->documents[named->naming[naming].name] == document)
            return true;
    return false;
}

static enum footnote_rc add_named(struct tx *tx, struct search_scope *op,
                                  int64_t session, const struct cited *cited,
                                  struct footnote_err *err)
{
    struct named named = {.names = NULL};

    TRY(read_names(tx, session, &named, err));
    if (named.n == 0 || op->courses_n == 0)
        return FOOTNOTE_OK;
    TRY(find_named(tx, op, &named, err));
    for (size_t i = 0; i < named.naming_n; i++) {
        int64_t document = named.documents[named.naming[i].name];

        if (document && !is_counted(cited, &named, i))
            TRY(add_times(tx, op, document, STR_NONE, 1, err));
    }
    return FOOTNOTE_OK;
}

/* ---- search_scope ------------------------------------------------------- */

/* A session that is not there yet has cited nothing. */
static enum footnote_rc add_citations(struct tx *tx, struct search_scope *op,
                                      struct footnote_err *err)
{
    struct cited cited = {.n = 0};
    struct session_row s;

    TRY(session_find(tx, op->session, &s, err));
    if (!s.found || s.deleted)
        return FOOTNOTE_OK;
    TRY(count_cited(tx, s.key, &cited, err));
    TRY(add_cited(tx, op, &cited, err));
    return add_named(tx, op, s.key, &cited, err);
}

/* The course that was named, or that of the documents. */
static enum footnote_rc one_course(struct tx *tx, struct search_scope *op,
                                   struct str id, struct footnote_err *err)
{
    struct course_row c;

    TRY(course_need(tx, id, MEMBER_READER, &c, err));
    return add_course(tx, op, (struct scope_course){c.key, c.index_version, id},
                      err);
}

static enum footnote_rc all_courses(struct tx *tx, struct search_scope *op,
                                    struct footnote_err *err)
{
    struct course_list all = {.limit = 0};

    TRY(course_list_op.run(tx, &all, err));
    for (size_t i = 0; i < all.courses_n; i++)
        TRY(add_course(tx, op,
                       (struct scope_course){all.courses[i].key,
                                             all.courses[i].index_version,
                                             all.courses[i].id},
                       err));
    return FOOTNOTE_OK;
}

static enum footnote_rc add_courses(struct tx *tx, struct search_scope *op,
                                    struct footnote_err *err)
{
    char course[STORE_ID_BYTES_MAX + 1];
    struct str id = op->course;

    if (!id.p && op->filter)
        id = op->filter->course;
    if (!id.p && op->filter && op->filter->documents_n)
        TRY(scope_course_of(tx, op, course, &id, err));
    return id.p ? one_course(tx, op, id, err) : all_courses(tx, op, err);
}

static enum footnote_rc scope_run(struct tx *tx, void *arg,
                                  struct footnote_err *err)
{
    struct search_scope *op = arg;

    op->courses = NULL;
    op->citations = NULL;
    op->courses_n = op->citations_n = 0;
    TRY(add_courses(tx, op, err));
    TRY(scope_limit(tx, op, err));
    return op->session.p ? add_citations(tx, op, err) : FOOTNOTE_OK;
}

const struct store_op search_scope_op = {NULL, scope_run};
