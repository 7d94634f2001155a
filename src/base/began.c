/* began.c - one number per thread. */
#include "base/began.h"
#include "base/clock.h"

static _Thread_local int64_t began_ms;

void began_set(int64_t mono_ms)
{
    began_ms = mono_ms;
}

int64_t began_or_now(void)
{
    return began_ms ? began_ms : clock_mono_ms();
}
