/* peers.c - the tables that two write-ups of the same problem use, filled
 * with the same references in the same order.
 *
 * flat: a row per citation with all that is shown, ids as text or UUID, two
 * indexes and a unique one.  refs: a pool of sources per course and a table
 * of references, UUIDs and three indexes.  The columns are those of the
 * write-ups; SQLite has no UUID type, so ids are text there. */
#include <stdio.h>

#include "bench.h"

static const char *const flat_sqlite =
    "CREATE TABLE peer_flat (id TEXT PRIMARY KEY, message_id TEXT NOT NULL,"
    " session_id TEXT NOT NULL, source_id TEXT NOT NULL,"
    " source_type TEXT NOT NULL, chunk_number INT NOT NULL,"
    " content_preview TEXT, document_id TEXT, slide_number INT,"
    " lecture_id TEXT, start_seconds REAL, end_seconds REAL, course_id TEXT,"
    " owner_id TEXT, title TEXT, created_at TEXT NOT NULL,"
    " UNIQUE (message_id, source_id));"
    "CREATE INDEX peer_flat_message ON peer_flat (message_id);"
    "CREATE INDEX peer_flat_session ON peer_flat (session_id);";
static const char *const flat_postgres =
    "CREATE TABLE peer_flat (id uuid PRIMARY KEY, message_id text NOT NULL,"
    " session_id text NOT NULL, source_id text NOT NULL,"
    " source_type text NOT NULL, chunk_number int NOT NULL,"
    " content_preview text, document_id uuid, slide_number int,"
    " lecture_id uuid, start_seconds float, end_seconds float, course_id uuid,"
    " owner_id uuid, title text, created_at timestamptz NOT NULL,"
    " UNIQUE (message_id, source_id));"
    "CREATE INDEX peer_flat_message ON peer_flat (message_id);"
    "CREATE INDEX peer_flat_session ON peer_flat (session_id);";
static const char *const refs_sqlite =
    "CREATE TABLE peer_pool (id TEXT PRIMARY KEY, course_id TEXT NOT NULL,"
    " source_key TEXT NOT NULL, source_type TEXT NOT NULL, document_id TEXT,"
    " slide_number INT, lecture_id TEXT, start_seconds REAL, end_seconds REAL,"
    " content_preview TEXT, title TEXT, created_at TEXT NOT NULL,"
    " UNIQUE (course_id, source_key));"
    "CREATE INDEX peer_pool_course ON peer_pool (course_id);"
    "CREATE TABLE peer_refs (id TEXT PRIMARY KEY, message_id TEXT NOT NULL,"
    " session_id TEXT NOT NULL, course_source_id TEXT NOT NULL,"
    " chunk_number INT NOT NULL, created_at TEXT NOT NULL);"
    "CREATE INDEX peer_refs_message ON peer_refs (message_id);"
    "CREATE INDEX peer_refs_session ON peer_refs (session_id);"
    "CREATE INDEX peer_refs_source ON peer_refs (course_source_id);";
static const char *const refs_postgres =
    "CREATE TABLE peer_pool (id uuid PRIMARY KEY, course_id uuid NOT NULL,"
    " source_key text NOT NULL, source_type text NOT NULL, document_id uuid,"
    " slide_number int, lecture_id uuid, start_seconds float,"
    " end_seconds float, content_preview text, title text,"
    " created_at timestamptz NOT NULL, UNIQUE (course_id, source_key));"
    "CREATE INDEX peer_pool_course ON peer_pool (course_id);"
    "CREATE TABLE peer_refs (id uuid PRIMARY KEY, message_id text NOT NULL,"
    " session_id uuid NOT NULL, course_source_id uuid NOT NULL"
    " REFERENCES peer_pool (id) ON DELETE CASCADE,"
    " chunk_number int NOT NULL, created_at timestamptz NOT NULL);"
    "CREATE INDEX peer_refs_message ON peer_refs (message_id);"
    "CREATE INDEX peer_refs_session ON peer_refs (session_id);"
    "CREATE INDEX peer_refs_source ON peer_refs (course_source_id);";

static const char created[] = "2026-02-26T20:15:00.123Z";

/* The references that all tables are filled with. */
struct row {
    const struct work *work;
    const struct work_source *source;
    char id[ID_BYTES], message[ID_BYTES], key[64], source_id[ID_BYTES];
    char number[12], slide[12];
};

static void row_make(struct row *r, const struct work *w, struct turn t,
                     size_t i)
{
    uint64_t message = t.session * MESSAGES + t.seq;

    r->work = w;
    r->source = &w->sources[i];
    uuid_text(4, message * SOURCES + i, r->id);
    uuid_text(5, message, r->message);
    uuid_text(6 + t.session % COURSES, r->source->number, r->source_id);
    snprintf(r->key, sizeof(r->key), "doc_%s_slide_%d", r->source->document,
             r->source->slide);
    snprintf(r->number, sizeof(r->number), "%zu", i + 1);
    snprintf(r->slide, sizeof(r->slide), "%d", r->source->slide);
}

typedef void row_fn(struct sql *s, const struct row *r);

static void each_row(struct sql *s, struct order o, row_fn *fn)
{
    struct turn t;
    struct work w = {.user = ""};
    struct row r;

    while (order_next(&o, &t)) {
        work_make(&w, t.session, t.seq, 0);
        for (size_t i = 0; i < SOURCES; i++) {
            row_make(&r, &w, t, i);
            fn(s, &r);
        }
    }
}

static void add_flat(struct sql *s, const struct row *r)
{
    const struct work_source *w = r->source;

    sql_copy_row(s, (const char *const[]){
                        r->id, r->message, r->work->session, r->key, "slide",
                        r->number, w->preview, w->document, r->slide, w->course,
                        w->owner, w->title, created});
}

static void add_ref(struct sql *s, const struct row *r)
{
    sql_copy_row(s, (const char *const[]){r->id, r->message, r->work->session,
                                          r->source_id, r->number, created});
}

/* The pool is filled first, each source once: its table does not depend on
 * the order of the references. */
static void fill_pool(struct sql *s)
{
    sql_copy_begin(s, "peer_pool",
                   "id, course_id, source_key, source_type, document_id,"
                   " slide_number, content_preview, title, created_at",
                   9);
    for (unsigned c = 0; c < COURSES; c++)
        for (uint64_t n = 0; n < (uint64_t)DOCUMENTS * SLIDES; n++) {
            struct work_source w;
            char id[ID_BYTES], key[64], slide[12];

            work_source(&w, c, n);
            uuid_text(6 + c, n, id);
            snprintf(key, sizeof(key), "doc_%s_slide_%d", w.document, w.slide);
            snprintf(slide, sizeof(slide), "%d", w.slide);
            sql_copy_row(s, (const char *const[]){id, w.course, key, "slide",
                                                  w.document, slide, w.preview,
                                                  w.title, created});
        }
    sql_copy_end(s);
}

void peers_measure(const struct place *p, struct order o, uint64_t refs,
                   struct peer_bytes out[2])
{
    struct sql *s = sql_open(p);

    sql_do(s, p->postgres ? flat_postgres : flat_sqlite);
    sql_do(s, p->postgres ? refs_postgres : refs_sqlite);
    sql_copy_begin(s, "peer_flat",
                   "id, message_id, session_id, source_id, source_type,"
                   " chunk_number, content_preview, document_id, slide_number,"
                   " course_id, owner_id, title, created_at",
                   13);
    each_row(s, o, add_flat);
    sql_copy_end(s);
    fill_pool(s);
    sql_copy_begin(s, "peer_refs",
                   "id, message_id, session_id, course_source_id,"
                   " chunk_number, created_at",
                   6);
    each_row(s, o, add_ref);
    sql_copy_end(s);
    out[0] =
        (struct peer_bytes){.refs = sql_bytes(s, "peer_flat") / (double)refs};
    out[1] = (struct peer_bytes){
        .refs = sql_bytes(s, "peer_refs") / (double)refs,
        .sources = sql_bytes(s, "peer_pool") / (double)refs};
    sql_close(s);
}
