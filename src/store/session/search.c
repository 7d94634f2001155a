/* search.c - sessions by words in titles, questions, answers and quotes.
 *
 * Case is folded as the engine's lower() does: SQLite knows ASCII only.  The
 * work is bounded: a call looks at so many sessions, newest first, and says
 * where the next one goes on. */
#include "base/utf8.h"
#include "store/check.h"
#include "store/list.h"
#include "store/read/loader.h"
#include "store/session/message.h"
#include "store/session/message_row.h"
#include "store/session/path.h"
#include "store/session/session.h"
#include "store/source/refs.h"
#include "store/strings.h"

#include <strings.h>

enum {
    WORDS_MAX = 4, /* as many as the statement takes */
    QUERY_BYTES_MAX = 200,
    BEFORE_CHARS = 40, /* of a snippet */
    SNIPPET_CHARS = 160,
    QUOTES_MAX = 20, /* that are looked at in a session */
    QUOTES_BYTES_MAX = 64 * 1024 * 1024
};

struct text_search {
    struct tx *tx;
    struct loader loader;
    struct str words[WORDS_MAX];
    struct str patterns[WORDS_MAX];
    size_t words_n;
    struct arena quotes; /* of one session */
};

/* ---- Words -------------------------------------------------------------- */

/* %word% with the signs that mean something to LIKE escaped. */
static struct str pattern(struct arena *a, struct str word)
{
    char *p = arena_many(a, 2 * word.n + 3, char);
    size_t n = 0;

    if (!p)
        return STR_NONE;
    p[n++] = '%';
    for (size_t i = 0; i < word.n; i++) {
        if (word.p[i] == '%' || word.p[i] == '_' || word.p[i] == '!')
            p[n++] = '!';
        p[n++] = word.p[i];
    }
    p[n++] = '%';
    return (struct str){p, n};
}

/* Further words of a query are ignored. */
static enum footnote_rc split(struct text_search *f, struct str query,
                              struct footnote_err *err)
{
    while (query.n && f->words_n < WORDS_MAX) {
        size_t n = 0;

        while (n < query.n && !strchr(" \t\n\r", query.p[n]))
            n++;
        if (n)
            f->words[f->words_n++] = (struct str){query.p, n};
        query = str_skip(query, n < query.n ? n + 1 : n);
    }
    for (size_t i = 0; i < WORDS_MAX; i++)
        f->patterns[i] =
            i < f->words_n ? pattern(f->tx->scratch, f->words[i]) : STR("%");
    return arena_rc(f->tx->scratch, err);
}

/* ---- Snippets ----------------------------------------------------------- */

/* Where the first word stands; 0 when only the engine finds it. */
static size_t word_position(const struct text_search *f, struct str text)
{
    struct str word = f->words[0];

    for (size_t i = 0; i + word.n <= text.n; i++)
        if (strncasecmp(text.p + i, word.p, word.n) == 0)
            return i;
    return 0;
}

static bool is_space(char c)
{
    return strchr(" \t\n\r", c) != NULL;
}

/* The next word's first byte before `end`; where there are no spaces, `from`.
 */
static size_t word_start(struct str text, size_t from, size_t end)
{
    if (from == 0 || is_space(text.p[from - 1]))
        return from;
    for (size_t i = from; i < end; i++)
        if (is_space(text.p[i]))
            return i + 1;
    return from;
}

/* The end of the last word that is whole behind `from`. */
static size_t word_end(struct str text, size_t from, size_t end)
{
    if (end == text.n || is_space(text.p[end]))
        return end;
    for (size_t i = end; i > from; i--)
        if (is_space(text.p[i - 1]))
            return i - 1;
    return end;
}

/* Some text around the first word, on one line, from word to word. */
static struct str snippet(const struct text_search *f, struct str text)
{
    size_t at = word_position(f, text), from = at;
    struct str cut;
    char *p;

    for (int chars = 0; from > 0 && chars < BEFORE_CHARS; chars++)
        do
            from--;
        while (from > 0 && (text.p[from] & 0xC0) == 0x80); /* inside a char */
    from = word_start(text, from, at);
    cut = utf8_cut(str_skip(text, from), SNIPPET_CHARS);
    cut.n = word_end(text, at, from + cut.n) - from;
    cut = arena_printf(f->tx->out, "%s%.*s%s", from > 0 ? "…" : "",
                       STR_ARG(cut), from + cut.n < text.n ? "…" : "");
    if (!cut.p)
        return cut;
    memcpy(&p, &cut.p, sizeof(p));
    for (size_t i = 0; i < cut.n; i++)
        if ((unsigned char)p[i] < 0x20)
            p[i] = ' ';
    return cut;
}

/* ---- One session -------------------------------------------------------- */

enum { PLACE_TITLE, PLACE_QUESTION };

/* A source of a message, and whether it has the words. */
struct quote {
    int64_t source, seq;
    enum footnote_role role;
    bool hidden; /* off the path that is shown */
    bool found;
};
struct quoted {
    struct quote *items;
    size_t n;
};

/* Damaged references are skipped: readers of that session are told. */
static enum footnote_rc add_quotes(struct arena *a, struct db_cur *cur,
                                   struct quoted *out, struct footnote_err *err)
{
    struct refs refs;
    struct ref r;

    if (refs_begin(&refs, db_col_str(cur, COL_REFS_FROM_REFS), NULL) !=
        FOOTNOTE_OK)
        return FOOTNOTE_OK;
    while (refs.n && refs_next(&refs, &r, NULL) == FOOTNOTE_OK) {
        struct quote *q;

        q = list_add(a, &out->items, &out->n, sizeof(*q));
        if (!q)
            break;
        *q = (struct quote){
            .source = r.source,
            .seq = db_col_i64(cur, COL_REFS_FROM_SEQ),
            .role = (enum footnote_role)db_col_i64(cur, COL_REFS_FROM_ROLE),
            .hidden = db_col_i64(cur, COL_REFS_FROM_SHOWN) != SHOWN_ON};
    }
    return arena_rc(a, err);
}

static enum footnote_rc read_quotes(struct arena *a, struct db_cur *cur,
                                    struct quoted *out,
                                    struct footnote_err *err)
{
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        TRY(add_quotes(a, cur, out, err));
    }
}

static enum footnote_rc find_words(struct text_search *f,
                                   const struct quoted *quoted,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct tx *tx = f->tx;
    int64_t *keys = arena_many(&f->quotes, quoted->n + 1, int64_t);
    struct str packed;

    if (!keys)
        return arena_rc(&f->quotes, err);
    for (size_t i = 0; i < quoted->n; i++)
        keys[i] = quoted->items[i].source;
    TRY(keys_pack(&f->quotes, keys, quoted->n, &packed, err));
    TRY(db_run(tx->db, STMT_FIND_IN_SOURCES, &cur, err, db_text(packed),
               db_i64(tx->tenant), db_text(f->patterns[0]),
               db_text(f->patterns[1]), db_text(f->patterns[2]),
               db_text(f->patterns[3])));
    for (;;) {
        bool row;

        TRY(db_next(cur, &row, err));
        if (!row)
            return FOOTNOTE_OK;
        for (size_t i = 0;
             i < quoted->n && !db_col_null(cur, COL_FIND_IN_SOURCES_SOURCE);
             i++)
            if (quoted->items[i].source ==
                db_col_i64(cur, COL_FIND_IN_SOURCES_SOURCE))
                quoted->items[i].found = true;
    }
}

/* The id of a message, as it was sealed, and its content when asked for. */
static enum footnote_rc read_message(struct tx *tx, int64_t session,
                                     int64_t seq, struct str *id,
                                     struct str *content,
                                     struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct db_value row[SEAL_COLUMNS_MAX];

    TRY(message_read_row(tx, session, seq, &cur, row, err));
    *id = arena_str(tx->out, db_value_str(&row[COL_MESSAGE_SEALED_ID]));
    if (content)
        *content = arena_str(tx->scratch,
                             db_value_str(&row[COL_MESSAGE_SEALED_CONTENT]));
    TRY(arena_rc(tx->scratch, err));
    return arena_rc(tx->out, err);
}

/* A quote that the asker may not read any more is not found. */
static enum footnote_rc read_quote(struct text_search *f, const struct quote *q,
                                   struct session_match *m, bool *found,
                                   struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    struct reference r = {.key = q->source};
    int64_t session = m->session.key;
    struct str refers;
    bool row;

    TRY(loader_source(&f->loader, &r, err));
    if (!r.source.preview.p)
        return FOOTNOTE_OK;
    TRY(read_message(f->tx, session, q->seq, &refers, NULL, err));
    m->message = refers;
    if (q->role == FOOTNOTE_USER) { /* the answer after it shows the quote */
        TRY(db_one(f->tx->db, STMT_ANSWER_TO, &cur, &row, err,
                   db_i64(f->tx->tenant), db_i64(session), db_i64(q->seq)));
        m->message = STR_NONE;
        if (row)
            TRY(read_message(f->tx, session, db_col_i64(cur, COL_ANSWER_TO_SEQ),
                             &m->message, NULL, err));
    }
    m->where = MATCH_QUOTE;
    m->snippet = snippet(f, r.source.preview);
    *found = m->message.p != NULL;
    return arena_rc(f->tx->out, err);
}

/* What is shown comes first, and there sources of questions, as questions do.
 */
static enum footnote_rc search_quotes(struct text_search *f,
                                      struct db_cur *refs,
                                      struct session_match *m, bool *found,
                                      struct footnote_err *err)
{
    struct quoted quoted = {NULL, 0};
    int left = QUOTES_MAX;

    arena_reset(&f->quotes);
    TRY(read_quotes(&f->quotes, refs, &quoted, err));
    if (quoted.n == 0)
        return FOOTNOTE_OK;
    TRY(find_words(f, &quoted, err));
    for (int turn = 0; turn < 4; turn++)
        for (size_t i = 0; i < quoted.n && !*found && left > 0; i++) {
            const struct quote *q = &quoted.items[i];

            if (!q->found || q->hidden != (turn > 1) ||
                (q->role == FOOTNOTE_USER) == turn % 2)
                continue;
            TRY(read_quote(f, q, m, found, err));
            left--;
        }
    return FOOTNOTE_OK;
}

/* References are asked for together with the texts: mostly one of the two is
 * needed, but a round trip costs more than a query. */
static enum footnote_rc search_session(struct text_search *f,
                                       struct session_match *m, bool *found,
                                       struct footnote_err *err)
{
    AUTO(db_end) struct db_cur *cur = NULL;
    AUTO(db_end) struct db_cur *refs = NULL;
    struct str text = m->session.title;
    int64_t place;

    TRY(db_run(f->tx->db, STMT_FIND_IN_SESSION, &cur, err,
               db_i64(f->tx->tenant), db_i64(m->session.key),
               db_text(f->patterns[0]), db_text(f->patterns[1]),
               db_text(f->patterns[2]), db_text(f->patterns[3])));
    TRY(db_run(f->tx->db, STMT_REFS_FROM, &refs, err, db_i64(f->tx->tenant),
               db_i64(m->session.key), db_i64(0)));
    TRY(db_next(cur, found, err));
    if (!*found)
        return search_quotes(f, refs, m, found, err);
    place = db_col_i64(cur, COL_FIND_IN_SESSION_PLACE);
    m->where = place == PLACE_TITLE      ? MATCH_TITLE
               : place == PLACE_QUESTION ? MATCH_QUESTION
                                         : MATCH_ANSWER;
    if (place != PLACE_TITLE)
        TRY(read_message(f->tx, m->session.key,
                         db_col_i64(cur, COL_FIND_IN_SESSION_SEQ), &m->message,
                         &text, err));
    m->snippet = snippet(f, text);
    return arena_rc(f->tx->out, err);
}

/* ---- session_search ----------------------------------------------------- */

static enum footnote_rc search_prepare(struct tx *tx, void *arg,
                                       struct footnote_err *err)
{
    struct session_search *op = arg;

    (void)tx;
    TRY(check_text(op->query, QUERY_BYTES_MAX, "q", err));
    return check_id(op->course, "courseId", err);
}

static enum footnote_rc search_sessions(struct text_search *f,
                                        struct session_list *in,
                                        struct session_search *op,
                                        struct footnote_err *err)
{
    op->more = in->sessions_n == STORE_SEARCHED_MAX;
    for (size_t i = 0; i < in->sessions_n; i++) {
        struct session_match one = {.session = in->sessions[i]};
        struct session_match *m;
        bool found = false;
        enum footnote_rc rc;

        op->next_active_ms = one.session.active_ms;
        op->next_key = one.session.key;
        rc = search_session(f, &one, &found, err);
        if (rc == FOOTNOTE_DAMAGED) /* told of; the others can be shown */
            continue;
        TRY(rc);
        if (!found)
            continue;
        m = list_add(f->tx->out, &op->matches, &op->matches_n, sizeof(*m));
        if (!m)
            return arena_rc(f->tx->out, err);
        *m = one;
        if (op->matches_n == op->limit) {
            op->more = op->more || i + 1 < in->sessions_n;
            break;
        }
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc search_run(struct tx *tx, void *arg,
                                   struct footnote_err *err)
{
    struct session_search *op = arg;
    struct text_search f = {.tx = tx, .quotes = ARENA(QUOTES_BYTES_MAX)};
    struct session_list in = {.course = op->course,
                              .before_active_ms = op->before_active_ms,
                              .before_key = op->before_key,
                              .limit = STORE_SEARCHED_MAX};
    enum footnote_rc rc;

    op->matches = NULL;
    op->matches_n = 0;
    op->more = false;
    TRY(split(&f, op->query, err));
    if (f.words_n == 0)
        return FOOTNOTE_OK;
    TRY(session_list_op.run(tx, &in, err));
    TRY(loader_init(&f.loader, tx, false, err));
    rc = search_sessions(&f, &in, op, err);
    loader_free(&f.loader);
    arena_free(&f.quotes);
    return rc;
}

const struct store_op session_search_op = {search_prepare, search_run};
