/* docx_test.c - answers as documents: a footnote for each marker, none lost.
 * Thirty random sessions; with SOAK=1 a thousand.  DOCX_FOLDER keeps the files
 * for programs of others: formats.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/cited.h"
#include "export/export.h"
#include "help/sessions.h"
#include "ingest/format/zip.h"
#include "store/session/session.h"
#include "test.h"

static struct footnote_err err;

static bool any(struct str name)
{
    return name.n > 0;
}

static size_t count(struct str text, const char *words)
{
    size_t n = 0;

    for (size_t i = 0; i + strlen(words) <= text.n; i++)
        n += memcmp(text.p + i, words, strlen(words)) == 0;
    return n;
}

/* Places that name a source, once for each source that they name. */
static size_t named(struct arena *a, const struct message *m)
{
    struct mark *marks;
    size_t n, all = 0;

    CHECK_OK(marks_find(a, m->content, &marks, &n, &err), &err);
    for (size_t k = 0; k < m->sources_n; k++) {
        const struct reference *r = &m->sources[k];
        size_t last = SIZE_MAX;

        for (size_t i = 0; i < n; i++)
            if (marks[i].start != last &&
                mark_names(&marks[i], r->number,
                           r->source.type == FOOTNOTE_IMAGE)) {
                last = marks[i].start;
                all++;
            }
    }
    return all;
}

static void keep(const char *id, struct str bytes)
{
    const char *folder = getenv("DOCX_FOLDER");
    char path[600];
    FILE *f;

    if (!folder)
        return;
    snprintf(path, sizeof(path), "%s/%s.docx", folder, id);
    f = fopen(path, "w");
    CHECK(f && fwrite(bytes.p, 1, bytes.n, f) == bytes.n);
    CHECK_INT(fclose(f), 0);
}

static size_t check_one(struct store *st, const char *id)
{
    AUTO(arena_free) struct arena a = ARENA((size_t)512 * 1024 * 1024);
    AUTO(buf_free) struct buf b = BUF((size_t)128 * 1024 * 1024);
    struct history h = {.session = str_c(id), .settled = true};
    const struct shown_session s = {.history = &h,
                                    .base_url = STR("https://notes.example")};
    struct zip zip;
    size_t wanted = 0;

    CHECK_OK(store_read(st, sessions_ann, &a, OP(history), &h, &err), &err);
    CHECK_OK(export_docx(&b, &a, &s, &err), &err);
    keep(id, buf_str(&b));
    for (size_t i = 0; i < h.messages_n; i++)
        if (h.messages[i].role == FOOTNOTE_ASSISTANT && h.messages[i].content.p)
            wanted += named(&a, &h.messages[i]);
    CHECK_OK(zip_read(&a, buf_str(&b), any, &zip, &err), &err);
    CHECK_INT(zip.n, 6);
    CHECK_INT(count(zip_get(&zip, STR("word/document.xml")),
                    "<w:footnoteReference w:id=\""),
              wanted);
    CHECK_INT(
        count(zip_get(&zip, STR("word/footnotes.xml")), "<w:footnote w:id=\""),
        wanted);
    return wanted;
}

TEST_LIMIT(docx_has_a_footnote_for_each_marker, 300)
{
    size_t n = getenv("SOAK") ? 1000 : 30, all = 0;
    struct random r = {88172645463325252U};
    struct store *st;
    char id[20];

    CHECK_OK(store_open("sqlite::memory:docx", &st, &err), &err);
    sessions_begin(st);
    for (size_t i = 0; i < n; i++) {
        snprintf(id, sizeof(id), "s%zu", i);
        sessions_make(st, &r, id);
    }
    sessions_spoil(st);
    for (size_t i = 0; i < n; i++) {
        snprintf(id, sizeof(id), "s%zu", i);
        all += check_one(st, id);
    }
    CHECK(all > n);
    store_close(st);
}
