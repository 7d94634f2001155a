/* bytes.c - the size of a reference: in its message's row and in the way back
 * with its keys, beside tables of other designs with the same data. */
#include <stdio.h>

#include "bench.h"

struct weight {
    double refs, sources;
};

static struct weight weigh(const struct place *p, double refs)
{
    struct sql *s = sql_open(p);
    const char *schema = p->postgres ? "ai." : "";
    char table[64];
    struct weight w;

    snprintf(table, sizeof(table), "%ssource_reference", schema);
    w.refs = sql_bytes(s, table);
    snprintf(table, sizeof(table), "%smessage", schema);
    w.refs = (w.refs + sql_column_bytes(s, table, "refs")) / refs;
    snprintf(table, sizeof(table), "%ssource", schema);
    w.sources = sql_bytes(s, table) / refs;
    sql_close(s);
    return w;
}

static void print(const char *what, double refs, double sources, double ours)
{
    printf("  %-50s%12.1f%12.1f%9.1fx\n", what, refs, sources, refs / ours);
}

static double fill(const struct bench *b, bool postgres, struct order o,
                   const char *what)
{
    double refs = (double)o.end * MESSAGES * SOURCES;
    struct weight w;
    struct place p;
    struct lane l;

    place_make(b, postgres, "bytes", &p);
    lane_open(&l, p.url);
    work_setup(&l);
    lane_fill(&l, o);
    lane_close(&l);
    w = weigh(&p, refs);
    print(what, w.refs, w.sources, w.refs);
    fflush(stdout);
    place_drop(&p);
    return w.refs;
}

static void measure(const struct bench *b, bool postgres, uint64_t sessions)
{
    struct order mixed = order_of(sessions, ACTIVE_MAX);
    struct peer_bytes peers[2];
    struct place p;
    double ours;

    printf("%s\n", engine_name(postgres));
    ours = fill(b, postgres, mixed, "footnote, 64 sessions at a time");
    (void)fill(b, postgres, order_of(sessions, 1),
               "footnote, one session after the other");
    place_make(b, postgres, "peers", &p);
    peers_measure(&p, mixed, sessions * MESSAGES * SOURCES, peers);
    print("a row per citation with all it shows, UUIDs", peers[0].refs, 0,
          ours);
    print("pool and references by UUID, three indexes", peers[1].refs,
          peers[1].sources, ours);
    place_drop(&p);
}

void bytes_measure(const struct bench *b)
{
    uint64_t sessions = b->small ? 400 : 4000;

    printf("\n3. Bytes a reference, of %llu: in its message, and way back\n\n"
           "  %-50s%12s%12s%10s\n",
           (unsigned long long)sessions * MESSAGES * SOURCES, "", "reference",
           "its source", "to ours");
    measure(b, false, sessions);
    if (b->postgres)
        measure(b, true, sessions);
}
