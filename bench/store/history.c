/* history.c - what reading a session costs, in a small database and in a big
 * one: 50 messages with 5 sources each, sources warm, no bytes cached. */
#include <stdio.h>

#include "bench.h"
#include "store/read/history.h"
#include "store/session/message.h"

enum {
    SESSION_REFS = MESSAGES * SOURCES,
    READ_SESSIONS = 1000, /* more pages than a reader's cache has */
    READS = 4000,
    HISTORY_BYTES_MAX = 16 * 1024 * 1024
};

struct cost {
    double cpu_us, wall_us, text_bytes;
};

static double text_of(const struct history *h)
{
    size_t n = 0;

    for (size_t i = 0; i < h->messages_n; i++) {
        const struct message *m = &h->messages[i];

        n += m->id.n + m->content.n;
        for (size_t k = 0; k < m->sources_n; k++) {
            const struct source *s = &m->sources[k].source;

            n += s->id.n + s->preview.n + s->title.n + s->document.n +
                 s->course.n + s->owner.n;
        }
    }
    return (double)n;
}

static struct cost read_one(struct store *st, uint64_t session)
{
    AUTO(arena_free) struct arena a = ARENA(HISTORY_BYTES_MAX);
    struct history h = {.limit = 0};
    struct footnote_err err;
    struct work w = {.user = ""};
    struct cost c;

    work_session(&w, session);
    h.session = str_c(w.session);
    c.wall_us = -seconds_now() * 1e6;
    c.cpu_us = -cpu_seconds_now() * 1e6;
    must(store_read(st, w.who, &a, OP(history), &h, &err), &err);
    c.cpu_us += cpu_seconds_now() * 1e6;
    c.wall_us += seconds_now() * 1e6;
    if (h.messages_n != MESSAGES || h.messages[0].sources_n != SOURCES)
        die("history", "messages or sources are missing");
    c.text_bytes = text_of(&h);
    return c;
}

/* Once each to warm the sources, then at random. */
static struct cost read_many(const char *url, uint64_t sessions)
{
    static double cpu[READS], wall[READS];
    uint64_t picked[READ_SESSIONS], rng = 7;
    struct footnote_err err;
    struct store *st;
    struct cost c = {0};

    must(store_open(url, &st, &err), &err);
    for (size_t i = 0; i < READ_SESSIONS; i++) {
        picked[i] = random_next(&rng) % sessions;
        (void)read_one(st, picked[i]);
    }
    for (size_t i = 0; i < READS; i++) {
        c = read_one(st, picked[random_next(&rng) % READ_SESSIONS]);
        cpu[i] = c.cpu_us;
        wall[i] = c.wall_us;
    }
    c.cpu_us = median(cpu, READS);
    c.wall_us = median(wall, READS);
    store_close(st);
    return c;
}

static void fill(const char *url, uint64_t sessions)
{
    struct lane l;

    lane_open(&l, url);
    work_setup(&l);
    lane_fill(&l, order_of(sessions, ACTIVE_MAX));
    lane_close(&l);
}

static void measure(const struct bench *b, bool postgres, const uint64_t *refs,
                    size_t n)
{
    double first = 0;

    for (size_t i = 0; i < n; i++) {
        uint64_t sessions = refs[i] / SESSION_REFS;
        double begun = seconds_now(), filled;
        struct cost c;
        struct place p;

        place_make(b, postgres, "history", &p);
        fill(p.url, sessions);
        filled = seconds_now() - begun;
        c = read_many(p.url, sessions);
        if (i == 0)
            first = c.cpu_us;
        printf("  %-12s%12llu%12.0f%12.0f%9.2fx%12.0f%9.0f\n",
               engine_name(postgres), (unsigned long long)refs[i], c.cpu_us,
               c.wall_us, c.cpu_us / first, c.text_bytes / 1e3, filled);
        fflush(stdout);
        place_drop(&p);
    }
}

void history_measure(const struct bench *b)
{
    static const uint64_t small[] = {10000, 100000};
    static const uint64_t large[] = {10000, 10000000};
    static const uint64_t postgres[] = {10000, 1000000};

    printf("\n2. A history of %d messages with %d sources each\n\n"
           "  %-12s%12s%12s%12s%10s%12s%9s\n",
           MESSAGES, SOURCES, "", "references", "CPU us", "wall us", "CPU",
           "KB of text", "fill s");
    measure(b, false, b->small ? small : large, 2);
    if (b->postgres)
        measure(b, true, b->small ? small : postgres, 2);
}
