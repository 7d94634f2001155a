/* progress.c - one line on stderr; see progress.h. */
#include "cli/progress.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    BAR_MS = 100,
    LINE_MS = 5000,
    BAR_CELLS = 20,
    BAR_WIDTH_MIN = 60, /* of a terminal that has room for a bar */
    WIDTH_DEFAULT = 80,
    KNOWN_MS = 3000 /* and a twentieth is done: then the time left is known */
};

void progress_begin(struct progress *p, bool quiet)
{
    *p = (struct progress){.quiet = quiet,
                           .tty = isatty(STDERR_FILENO) != 0,
                           .began_ms = clock_mono_ms()};
    p->drawn_ms = p->tty ? 0 : p->began_ms;
}

bool progress_is_due(const struct progress *p)
{
    return !p->quiet &&
           clock_mono_ms() - p->drawn_ms >= (p->tty ? BAR_MS : LINE_MS);
}

static size_t terminal_width(void)
{
    struct winsize size = {.ws_col = 0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return WIDTH_DEFAULT;
    return size.ws_col;
}

/* The bytes of a text that fit into so many cells.  Letters of other scripts
 * count as two, which some of them are. */
static size_t fit(const char *text, size_t cells)
{
    size_t n = 0;

    while (text[n]) {
        unsigned char c = (unsigned char)text[n];
        size_t bytes = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
        size_t wide = bytes > 2 ? 2 : 1;

        if (cells < wide || strlen(text + n) < bytes)
            break;
        cells -= wide;
        n += bytes;
    }
    return n;
}

static void time_left(const struct progress *p, char *out, size_t bytes)
{
    int64_t ms = clock_mono_ms() - p->began_ms, left;

    out[0] = '\0';
    if (p->part < 0.05 || p->part >= 1 || ms < KNOWN_MS)
        return;
    left = (int64_t)((double)ms * (1 - p->part) / p->part) / 1000;
    snprintf(out, bytes, "%lld:%02lld left  ", (long long)(left / 60),
             (long long)(left % 60));
}

void progress_draw(struct progress *p, double part, const char *text)
{
    char line[PROGRESS_TEXT_BYTES + 80], bar[BAR_CELLS + 4] = "", left[40] = "";
    size_t width;

    if (p->quiet)
        return;
    p->drawn_ms = clock_mono_ms();
    if (part > p->part)
        p->part = part < 1 ? part : 1;
    assert(p->part >= 0 && p->part <= 1);
    if (part >= 0)
        time_left(p, left, sizeof(left));
    if (!p->tty) {
        fprintf(stderr, "%s%s\n", left, text);
        return;
    }
    width = terminal_width();
    if (part >= 0 && width >= BAR_WIDTH_MIN) {
        memset(bar, '.', BAR_CELLS + 3);
        memset(bar + 1, '#', (size_t)(p->part * BAR_CELLS));
        bar[0] = '[';
        memcpy(bar + BAR_CELLS + 1, "] ", 3);
    }
    snprintf(line, sizeof(line), "%s%s%s", bar, left, text);
    /* The last cell stays free: some terminals go to the next line there. */
    fprintf(stderr, "\r%.*s\033[K", (int)fit(line, width - 1), line);
    p->drawn = true;
}

void progress_clear(struct progress *p)
{
    if (p->drawn)
        fprintf(stderr, "\r\033[K");
    p->drawn = false;
}

void progress_keep(struct progress *p)
{
    if (p->drawn)
        fprintf(stderr, "\n");
    p->drawn = false;
}
