/* outside_sql.c - the database as a stranger with SQL sees it, and digests
 * made from the published forms alone. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdlib.h>

#include "store/session/message.h"
#include "store/source/refs.h"
#include "store_help.h"

/* ---- Raw SQL ------------------------------------------------------------ */

static void pg_text(const char *sql, char *buffer, size_t bytes)
{
    PGconn *c = PQconnectdb(test_url());
    PGresult *r;

    PQclear(PQexec(c, "SET search_path = footnote"));
    r = PQexec(c, sql);
    if (PQresultStatus(r) == PGRES_FATAL_ERROR)
        FAIL("%s: %s", sql, PQerrorMessage(c));
    if (buffer)
        snprintf(buffer, bytes, "%s", PQntuples(r) ? PQgetvalue(r, 0, 0) : "");
    PQclear(r);
    PQfinish(c);
}

static void sqlite_text(const char *sql, char *buffer, size_t bytes)
{
    sqlite3_stmt *s = NULL;
    sqlite3 *c = NULL;
    int rc;

    CHECK_INT(sqlite3_open(test_url() + strlen("sqlite:"), &c), SQLITE_OK);
    sqlite3_busy_timeout(c, 10000);
    if (sqlite3_prepare_v2(c, sql, -1, &s, NULL) != SQLITE_OK)
        FAIL("%s: %s", sql, sqlite3_errmsg(c));
    rc = sqlite3_step(s);
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        FAIL("%s: %s", sql, sqlite3_errmsg(c));
    if (buffer) {
        const char *text =
            rc == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;

        snprintf(buffer, bytes, "%s", text ? text : "");
    }
    sqlite3_finalize(s);
    sqlite3_close(c);
}

void sql_text(const char *sql, char *buffer, size_t bytes)
{
    if (test_is_postgres())
        pg_text(sql, buffer, bytes);
    else
        sqlite_text(sql, buffer, bytes);
}

int64_t sql_i64(const char *sql)
{
    char text[64];

    sql_text(sql, text, sizeof(text));
    return strtoll(text, NULL, 10);
}

void sql_do(const char *sql)
{
    sql_text(sql, NULL, 0);
}

/* Rows, and what moves on with every write to a row that stays. */
int64_t rows_all(void)
{
    return sql_i64("SELECT (SELECT count(*) FROM tenant)"
                   "+ (SELECT count(*) FROM account)"
                   "+ (SELECT count(*) + coalesce(sum(version), 0) FROM course)"
                   "+ (SELECT count(*) FROM course_member)"
                   "+ (SELECT count(*) + coalesce(sum(version + status"
                   "   + redacted), 0) FROM document)"
                   "+ (SELECT count(*) FROM object)"
                   "+ (SELECT count(*) FROM ingest_job)"
                   "+ (SELECT count(*) FROM document_version)"
                   "+ (SELECT count(*) FROM passage)"
                   "+ (SELECT count(*) + coalesce(sum(version + last_seq), 0)"
                   "   FROM session)"
                   "+ (SELECT count(*) + coalesce(sum(length(refs)), 0)"
                   "   FROM message)"
                   "+ (SELECT count(*) + coalesce(sum(parts), 0)"
                   "   FROM answer_lease)"
                   "+ (SELECT count(*) FROM answer_text)"
                   "+ (SELECT count(*) FROM answer_word_log)"
                   "+ (SELECT count(*) FROM source)"
                   "+ (SELECT count(*) FROM source_reference)"
                   "+ (SELECT count(*) FROM retrieval_event)"
                   "+ (SELECT count(*) FROM verdict)"
                   "+ (SELECT count(*) FROM idempotency_key)");
}

/* ---- The way back ------------------------------------------------------- */

enum { ROWS_BYTES_MAX = 4 * 1024 * 1024 };

/* Rows as lines, in the order of the statement. */
static void sql_lines(const char *columns, const char *rest, char *buffer)
{
    char sql[600];

    snprintf(sql, sizeof(sql), "SELECT %s FROM (SELECT %s AS line %s) x",
             test_is_postgres() ? "string_agg(line, chr(10))"
                                : "group_concat(line, char(10))",
             columns, rest);
    sql_text(sql, buffer, ROWS_BYTES_MAX);
}

static size_t unhex(char *text)
{
    size_t n = strlen(text) / 2;

    for (size_t i = 0; i < n; i++) {
        char pair[3] = {text[2 * i], text[2 * i + 1], '\0'};

        text[i] = (char)strtoul(pair, NULL, 16);
    }
    return n;
}

/* "tenant session seq HEX" as lines of the way back. */
static void unpack_line(char *line, struct buf *to)
{
    char *hex = strrchr(line, ' ');
    struct refs refs;

    CHECK(hex != NULL);
    *hex++ = '\0';
    CHECK_OK(refs_begin(&refs, (struct str){hex, unhex(hex)}, &err), &err);
    while (refs.n) {
        struct ref r;

        CHECK_OK(refs_next(&refs, &r, &err), &err);
        buf_printf(to, "%s%s %u %lld %d", to->n ? "\n" : "", line, r.number,
                   (long long)r.source, r.spans.p != NULL);
    }
}

void check_way_back(void)
{
    AUTO(buf_free) struct buf want = BUF(ROWS_BYTES_MAX);
    char *rows = malloc(ROWS_BYTES_MAX), *at;

    CHECK(rows != NULL);
    sql_lines(test_is_postgres() ? "concat_ws(' ', tenant, session, seq, "
                                   "encode(refs, 'hex'))"
                                 : "tenant || ' ' || session || ' ' || seq || "
                                   "' ' || hex(refs)",
              "FROM message WHERE refs IS NOT NULL ORDER BY tenant, session, "
              "seq",
              rows);
    for (char *line = strtok_r(rows, "\n", &at); line;
         line = strtok_r(NULL, "\n", &at))
        unpack_line(line, &want);
    buf_add_c(&want, '\0');
    CHECK_OK(buf_rc(&want, &err), &err);
    sql_lines("tenant || ' ' || session || ' ' || seq || ' ' || number || ' ' "
              "|| source || ' ' || cited",
              "FROM source_reference "
              "ORDER BY tenant, session, seq, number",
              rows);
    CHECK_STR(rows, want.p);
    free(rows);
}

/* ---- Digests ------------------------------------------------------------ */

static void line(struct buf *b, const char *name, struct str value)
{
    if (!value.p)
        return;
    buf_printf(b, "%s=%zu:", name, value.n);
    buf_add(b, value);
    buf_add_c(b, '\n');
}

static void number_line(struct buf *b, const char *name, double v)
{
    AUTO(buf_free) struct buf text = BUF(64);

    buf_add_f64(&text, v);
    line(b, name, buf_str(&text));
}

static void i64_line(struct buf *b, const char *name, int64_t v)
{
    AUTO(buf_free) struct buf text = BUF(64);

    buf_add_i64(&text, v);
    line(b, name, buf_str(&text));
}

static const char *const type_words[] = {"",        "text", "slide", "lecture",
                                         "journal", "web",  "image"};

static void source_digest_of(const struct source *s, char hex[SHA256_HEX + 1])
{
    AUTO(buf_free) struct buf b = BUF((size_t)1024 * 1024);
    struct sha256 d;

    buf_add(&b, STR("footnote-source-1\n"));
    line(&b, "sourceType", str_c(type_words[s->type]));
    line(&b, "sourceId", s->id);
    line(&b, "contentPreview", s->preview);
    line(&b, "title", s->title);
    line(&b, "url", s->url);
    line(&b, "courseId", s->course);
    line(&b, "ownerId", s->owner);
    line(&b, "documentId", s->document);
    line(&b, "lectureId", s->lecture);
    line(&b, "date", s->date);
    line(&b, "s3key", s->s3key);
    line(&b, "meta", s->meta);
    if (s->has_page)
        i64_line(&b, "slideNumber", s->page);
    if (s->has_start)
        number_line(&b, "startSeconds", s->start);
    if (s->has_end)
        number_line(&b, "endSeconds", s->end);
    if (s->part)
        i64_line(&b, "part", s->part);
    line(&b, "locator", s->locator);
    CHECK_OK(buf_rc(&b, &err), &err);
    CHECK_OK(sha256(buf_str(&b), &d, &err), &err);
    sha256_hex(&d, hex);
}

static const char *const role_words[] = {"", "user", "assistant", "system"};

void check_digest(const struct message *m)
{
    AUTO(buf_free) struct buf b = BUF((size_t)8 * 1024 * 1024);
    char want[SHA256_HEX + 1], got[SHA256_HEX + 1], source[SHA256_HEX + 1];
    struct sha256 d;

    CHECK(m->has_digest);
    buf_add(&b, STR("footnote-message-1\n"));
    line(&b, "role", str_c(role_words[m->role]));
    line(&b, "content", m->content);
    for (size_t i = 0; i < m->sources_n; i++) {
        const struct reference *r = &m->sources[i];

        source_digest_of(&r->source, source);
        buf_printf(&b, "source=%u:%s", r->number, source);
        if (r->has_score) {
            buf_add_c(&b, ':');
            buf_add_f64(&b, r->score);
        }
        buf_add_c(&b, '\n');
    }
    CHECK_OK(buf_rc(&b, &err), &err);
    CHECK_OK(sha256(buf_str(&b), &d, &err), &err);
    sha256_hex(&d, want);
    sha256_hex(&m->digest, got);
    CHECK_STR(got, want);
}

/* ---- Equality ----------------------------------------------------------- */

void check_source(const struct source *got, const struct source *want)
{
    CHECK_INT(got->type, want->type);
    if (want->id.p)
        CHECK_TEXT(got->id, want->id);
    CHECK_TEXT(got->preview, want->preview);
    CHECK_TEXT(got->title, want->title);
    CHECK_TEXT(got->url, want->url);
    CHECK_TEXT(got->course, want->course);
    CHECK_TEXT(got->owner, want->owner);
    CHECK_TEXT(got->document, want->document);
    CHECK_TEXT(got->lecture, want->lecture);
    CHECK_TEXT(got->date, want->date);
    CHECK_TEXT(got->s3key, want->s3key);
    CHECK_TEXT(got->meta, want->meta);
    CHECK_INT(got->has_page, want->has_page);
    CHECK_INT(got->has_start, want->has_start);
    CHECK_INT(got->has_end, want->has_end);
    CHECK_INT(got->page, want->has_page ? want->page : 0);
    CHECK_F64(got->start, want->has_start ? want->start : 0.0);
    CHECK_F64(got->end, want->has_end ? want->end : 0.0);
    CHECK_INT(got->part, want->part);
}

static void check_strings(const struct str *got, size_t got_n,
                          const struct str *want, size_t want_n)
{
    CHECK_INT(got_n, want_n);
    for (size_t i = 0; i < want_n; i++)
        CHECK_TEXT(got[i], want[i]);
}

void check_message_is(const struct message *got, const struct message *want)
{
    CHECK_TEXT(got->id, want->id);
    CHECK_TEXT(got->session, want->session);
    CHECK_INT(got->role, want->role);
    CHECK_INT(got->status, want->status);
    CHECK_TEXT(got->content, want->content);
    if (want->created_ms)
        CHECK_INT(got->created_ms, want->created_ms);
    CHECK_INT(got->has_low_confidence, want->has_low_confidence);
    CHECK_INT(got->low_confidence, want->low_confidence);
    check_strings(got->doc_refs, got->doc_refs_n, want->doc_refs,
                  want->doc_refs_n);
    check_strings(got->rag_source_ids, got->rag_source_ids_n,
                  want->rag_source_ids, want->rag_source_ids_n);
    check_strings(got->web_source_ids, got->web_source_ids_n,
                  want->web_source_ids, want->web_source_ids_n);
    CHECK_INT(got->has_image, want->has_image);
    CHECK_TEXT(got->image_s3key, want->image_s3key);
    CHECK_TEXT(got->image_slide, want->image_slide);
    CHECK_INT(got->has_image_page, want->has_image_page);
    CHECK_INT(got->image_page, want->image_page);
    CHECK_INT(got->sources_n, want->sources_n);
    for (size_t i = 0; i < want->sources_n; i++) {
        const struct reference *g = &got->sources[i], *w = &want->sources[i];

        check_source(&g->source, &w->source);
        CHECK_INT(g->number, w->number ? w->number : i + 1);
        CHECK_INT(g->has_score, w->has_score);
        CHECK_F64(g->score, w->has_score ? w->score : 0.0);
    }
}
