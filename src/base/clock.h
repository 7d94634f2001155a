/* clock.h - time, replaceable in tests.  Any thread.
 *
 * Wall time is shown to people and stored; time-outs use the monotonic one. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H
#include <stdint.h>

int64_t clock_wall_ms(void);
int64_t clock_mono_ms(void);

/* Replaces both for the whole process (tests); NULL gives the real ones back.
 * *c is borrowed until then. */
struct clock_source {
    int64_t (*wall_ms)(void);
    int64_t (*mono_ms)(void);
};
void clock_replace(const struct clock_source *c);

/* RFC 3339 UTC with milliseconds: 2026-02-26T20:15:00.123Z and a NUL.
 * Times outside of the years 1 to 9999 become the nearest inside. */
enum { CLOCK_TEXT = 24 };
void clock_text(int64_t wall_ms, char out[CLOCK_TEXT + 1]);

#endif
