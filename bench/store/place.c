/* place.c - empty databases to measure in, and what ends the program. */
#include <stdio.h>
#include <unistd.h>

#include "bench.h"

void must(enum footnote_rc rc, const struct footnote_err *err)
{
    if (rc != FOOTNOTE_OK)
        die(rc_name(rc), err->text);
}

const char *engine_name(bool postgres)
{
    return postgres ? "PostgreSQL" : "SQLite";
}

void place_make(const struct bench *b, bool postgres, const char *name,
                struct place *out)
{
    *out = (struct place){.bench = b, .postgres = postgres};
    snprintf(out->name, sizeof(out->name), "bench_%s", name);
    snprintf(out->path, sizeof(out->path), "%s/%s.db", b->folder, out->name);
    if (!postgres) {
        snprintf(out->url, sizeof(out->url), "sqlite:%s", out->path);
        return;
    }
    database_make(b->postgres, out->name);
    snprintf(out->url, sizeof(out->url), "postgres:///%s?host=%s&user=postgres",
             out->name, b->postgres);
}

void place_drop(const struct place *p)
{
    char text[600];

    if (p->postgres) {
        snprintf(text, sizeof(text), "DROP DATABASE %s WITH (FORCE)", p->name);
        database_do(p->bench->postgres, text);
        return;
    }
    for (const char *const *end =
             (const char *const[]){"", "-wal", "-shm", NULL};
         *end; end++) {
        snprintf(text, sizeof(text), "%s%s", p->path, *end);
        (void)unlink(text);
    }
}
