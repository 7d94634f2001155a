/* library.c - all documents that somebody may read, sorted and in pages.
 *
 * Names are compared without case and accents, which no engine can do for all
 * languages, so the order is made here: of a few columns of every document.
 * Only those of the page are read whole, and counted, unless the order or the
 * filter needs the counts of all. */
#include "store/document/library.h"

#include <stdlib.h>

#include "base/buf.h"
#include "language/analyse.h"
#include "store/check.h"
#include "store/document/document_row.h"
#include "store/list.h"
#include "store/session/course_row.h"

enum { NAME_BYTES_MAX = 1024, WORDS_MAX = 16 };

struct entry { /* what a document is found and sorted by */
    int64_t key, version, changed_ms, bytes, cited_n;
    struct str name; /* folded words, each after a space */
    const struct course *course;
};

struct shelf {
    struct tx *tx;
    struct library *op;
    struct analyser *analyser;
    struct str words[WORDS_MAX];
    size_t words_n;
    struct course *courses;
    size_t courses_n;
    struct entry *entries;
    size_t entries_n;
};

/* ---- Names -------------------------------------------------------------- */

static struct str folded(struct shelf *s, struct str text)
{
    AUTO(buf_free) struct buf b = BUF(NAME_BYTES_MAX);
    struct token t;

    analyse(s->analyser, text, LANGUAGE_NONE);
    while (analyse_next(s->analyser, &t)) {
        buf_add_c(&b, ' ');
        buf_add(&b, t.word);
    }
    return arena_str(s->tx->scratch, buf_str(&b)); /* cut where it is long */
}

static enum footnote_rc fold_words(struct shelf *s, struct footnote_err *err)
{
    struct token t;

    analyse(s->analyser, s->op->words, LANGUAGE_NONE);
    while (s->words_n < WORDS_MAX && analyse_next(s->analyser, &t))
        s->words[s->words_n++] = arena_str(s->tx->scratch, t.word);
    return arena_rc(s->tx->scratch, err);
}

static bool has(struct str text, struct str word)
{
    return text.n >= word.n && memmem(text.p, text.n, word.p, word.n);
}

/* Each word is in its name or in that of its file. */
static bool has_words(struct shelf *s, struct str name, struct db_cur *cur)
{
    struct str file = STR_NONE;

    if (s->words_n)
        file = folded(s, db_col_str(cur, COL_LIBRARY_ROWS_FILENAME));
    for (size_t i = 0; i < s->words_n; i++)
        if (!has(name, s->words[i]) && !has(file, s->words[i]))
            return false;
    return true;
}

/* As a reader knows it: by its title, else its file or its address. */
static struct str name_of(struct db_cur *cur)
{
    struct str title = db_col_str(cur, COL_LIBRARY_ROWS_TITLE),
               file = db_col_str(cur, COL_LIBRARY_ROWS_FILENAME);

    if (title.n)
        return title;
    return file.n ? file : db_col_str(cur, COL_LIBRARY_ROWS_URL);
}

/* ---- What there is ------------------------------------------------------ */

/* What came with a folder is called by its path there. */
static bool is_file(struct str filename, struct str asked)
{
    size_t path = filename.n > asked.n ? filename.n - asked.n : 0;

    return str_eq(asked, filename) ||
           (path > 0 && filename.p[path - 1] == '/' &&
            str_eq(asked, str_skip(filename, path)));
}

static bool is_asked(const struct library *op, struct db_cur *cur)
{
    return (!op->kind ||
            db_col_i64(cur, COL_LIBRARY_ROWS_KIND) == (int)op->kind) &&
           (!op->has_status ||
            db_col_i64(cur, COL_LIBRARY_ROWS_STATUS) == (int)op->status) &&
           (!op->filename.p ||
            is_file(db_col_str(cur, COL_LIBRARY_ROWS_FILENAME), op->filename));
}

static enum footnote_rc read_entry(struct shelf *s, const struct course *course,
                                   struct db_cur *cur, struct footnote_err *err)
{
    struct str name = folded(s, name_of(cur));
    struct entry *e;

    if (!has_words(s, name, cur))
        return arena_rc(s->tx->scratch, err);
    e = list_add(s->tx->scratch, &s->entries, &s->entries_n, sizeof(*e));
    if (e)
        *e = (struct entry){
            .key = db_col_i64(cur, COL_LIBRARY_ROWS_DOCUMENT),
            .version = db_col_i64(cur, COL_LIBRARY_ROWS_VERSION),
            .changed_ms = db_col_i64(cur, COL_LIBRARY_ROWS_CHANGED_MS),
            .bytes = db_col_i64(cur, COL_LIBRARY_ROWS_BYTES),
            .name = name,
            .course = course};
    return arena_rc(s->tx->scratch, err);
}

static bool is_shown(const struct library *op, const struct course *c)
{
    return op->course.p ? str_eq(op->course, c->id) : c->archived_ms == 0;
}

/* The course's documents are counted, also where they are not shown. */
static enum footnote_rc read_course(struct shelf *s, const struct course *c,
                                    struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct library_course *n =
        list_add(s->tx->out, &s->op->courses, &s->op->courses_n, sizeof(*n));
    bool shown = is_shown(s->op, c);

    TRY(arena_rc(s->tx->out, err));
    n->id = c->id;
    TRY(db_run(s->tx->db, STMT_LIBRARY_ROWS, &cur, err, db_i64(c->key),
               db_i64(s->tx->tenant)));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        n->documents_n++;
        if (shown && is_asked(s->op, cur))
            TRY(read_entry(s, c, cur, err));
    }
}

/* ---- Counts ------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* Editors see all counts of a course, readers what their own answers cite. */
static struct db_value counted(const struct shelf *s, const struct course *c)
{
    return db_i64(c->role >= MEMBER_EDITOR ? 0 : s->tx->account);
}

static enum footnote_rc count_course(struct shelf *s, const struct course *c,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;

    TRY(db_run(s->tx->db, STMT_COUNTS_OF_COURSE, &cur, err, counted(s, c),
               db_i64(s->tx->tenant), db_i64(c->key), db_i64(INT32_MAX)));
    for (;;) {
        struct entry key, *e;
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        key.key = db_col_i64(cur, COL_DOCUMENT_SEALED_DOCUMENT);
        e = bsearch(&key, s->entries, s->entries_n, sizeof(*e), by_key);
        if (e)
            e->cited_n = db_col_i64(cur, COL_COUNTS_OF_COURSE_CITED_N);
    }
}

/* Of all, and leaves those whose count is asked for. */
static enum footnote_rc count_all(struct shelf *s, struct footnote_err *err)
{
    size_t kept = 0;

    if (s->entries_n == 0)
        return FOOTNOTE_OK;
    qsort(s->entries, s->entries_n, sizeof(*s->entries), by_key);
    for (size_t i = 0; i < s->courses_n; i++)
        if (is_shown(s->op, &s->courses[i]))
            TRY(count_course(s, &s->courses[i], err));
    for (size_t i = 0; i < s->entries_n; i++)
        if (s->op->cited == LIBRARY_ANY ||
            (s->op->cited == LIBRARY_ONCE) == (s->entries[i].cited_n > 0))
            s->entries[kept++] = s->entries[i];
    s->entries_n = kept;
    return FOOTNOTE_OK;
}

static enum footnote_rc count_one(struct shelf *s, struct entry *e,
                                  struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    bool row;

    TRY(db_one(s->tx->db, STMT_COUNT_OF_DOCUMENT, &cur, &row, err,
               db_i64(e->key), db_i64(s->tx->tenant), counted(s, e->course)));
    e->cited_n = row ? db_col_i64(cur, COL_COUNT_OF_DOCUMENT_CITED_N) : 0;
    return FOOTNOTE_OK;
}

/* ---- The order ---------------------------------------------------------- */

static int later(int64_t a, int64_t b)
{
    return (a < b) - (a > b);
}

/* Those that are alike: the newest first. */
static int then(int order, const struct entry *a, const struct entry *b)
{
    return order ? order : later(a->key, b->key);
}

static int by_changed(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return then(later(x->changed_ms, y->changed_ms), x, y);
}

static int by_cited(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return then(later(x->cited_n, y->cited_n), x, y);
}

static int by_bytes(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    return then(later(x->bytes, y->bytes), x, y);
}

static int by_name(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (!x->name.n != !y->name.n)
        return x->name.n ? -1 : 1;
    return then(str_cmp(x->name, y->name), x, y);
}

static void sort(struct shelf *s)
{
    static int (*const orders[])(const void *, const void *) = {
        [LIBRARY_CHANGED] = by_changed,
        [LIBRARY_CITED] = by_cited,
        [LIBRARY_BYTES] = by_bytes,
        [LIBRARY_NAME] = by_name};

    if (s->entries_n)
        qsort(s->entries, s->entries_n, sizeof(*s->entries),
              orders[s->op->order]);
    for (size_t i = 0; s->op->reversed && i < s->entries_n / 2; i++) {
        struct entry e = s->entries[i];

        s->entries[i] = s->entries[s->entries_n - 1 - i];
        s->entries[s->entries_n - 1 - i] = e;
    }
}

/* ---- A page ------------------------------------------------------------- */

/* One that is damaged is told of; the others can be shown. */
static enum footnote_rc add_document(struct shelf *s, struct entry *e,
                                     bool is_counted, struct footnote_err *err)
{
    struct library_document *d = list_add(s->tx->out, &s->op->documents,
                                          &s->op->documents_n, sizeof(*d));
    enum footnote_rc rc;
    bool found;

    TRY(arena_rc(s->tx->out, err));
    rc = document_load(s->tx, s->tx->out, e->key, e->version, &d->document,
                       &found, err);
    if (rc == FOOTNOTE_DAMAGED || (rc == FOOTNOTE_OK && !found)) {
        s->op->documents_n--;
        return FOOTNOTE_OK;
    }
    TRY(rc);
    if (!is_counted)
        TRY(count_one(s, e, err));
    d->document.role = e->course->role;
    d->cited_n = e->cited_n;
    return FOOTNOTE_OK;
}

static enum footnote_rc fill(struct shelf *s, struct footnote_err *err)
{
    struct library *op = s->op;
    bool counts = op->cited != LIBRARY_ANY || op->order == LIBRARY_CITED;
    size_t end;

    if (counts)
        TRY(count_all(s, err));
    sort(s);
    op->found_n = s->entries_n;
    if (op->from > s->entries_n)
        op->from = s->entries_n;
    end = op->limit && op->limit < s->entries_n - op->from
              ? op->from + op->limit
              : s->entries_n;
    for (size_t i = op->from; i < end; i++)
        TRY(add_document(s, &s->entries[i], counts, err));
    return FOOTNOTE_OK;
}

static enum footnote_rc library_run(struct tx *tx, void *arg,
                                    struct footnote_err *err)
{
    AUTO(analyser_closep) struct analyser *analyser = NULL;
    struct library *op = arg;
    struct course_list courses = {.courses = NULL};
    struct shelf s = {.tx = tx, .op = op};
    struct course_row named;

    op->documents = NULL;
    op->courses = NULL;
    op->documents_n = op->courses_n = op->found_n = 0;
    if (op->course.p)
        TRY(course_need(tx, op->course, MEMBER_READER, &named, err));
    TRY(analyser_open(&analyser, err));
    s.analyser = analyser;
    TRY(fold_words(&s, err));
    TRY(course_list_op.run(tx, &courses, err));
    s.courses = courses.courses;
    s.courses_n = courses.courses_n;
    for (size_t i = 0; i < s.courses_n; i++)
        TRY(read_course(&s, &s.courses[i], err));
    return fill(&s, err);
}

const struct store_op library_op = {NULL, library_run};
