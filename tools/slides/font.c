/* font.c - as much of TrueType as a text needs: cmap, hmtx, loca, glyf. */
#include "slides.h"
#include <stdio.h>
#include <stdlib.h>

/* --- Reading ----------------------------------------------------------------
 */

static void check(const struct font *f, uint64_t at, uint64_t bytes)
{
    if (at + bytes > f->n)
        slides_stop("the font %.*s is damaged", STR_ARG(f->name));
}

static uint32_t u16(const struct font *f, uint64_t at)
{
    check(f, at, 2);
    return (uint32_t)f->p[at] << 8 | f->p[at + 1];
}

static int16_t s16(const struct font *f, uint64_t at)
{
    return (int16_t)u16(f, at);
}

static uint32_t u32(const struct font *f, uint64_t at)
{
    return u16(f, at) << 16 | u16(f, at + 2);
}

/* Where a table is; its length goes to *bytes. */
static uint32_t table(const struct font *f, const char *tag, uint32_t *bytes)
{
    uint32_t n = u16(f, 4);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t entry = 12 + 16 * (uint64_t)i;
        check(f, entry, 16);
        if (memcmp(f->p + entry, tag, 4) != 0)
            continue;
        *bytes = u32(f, entry + 12);
        check(f, u32(f, entry + 8), *bytes);
        return u32(f, entry + 8);
    }
    slides_stop("the font %.*s has no table %s", STR_ARG(f->name), tag);
}

/* The map for Windows and Unicode in two bytes, which every font has. */
static uint32_t find_cmap(const struct font *f)
{
    uint32_t bytes, at = table(f, "cmap", &bytes), n = u16(f, at + 2);

    for (uint32_t i = 0; i < n; i++) {
        uint64_t entry = at + 4 + 8 * (uint64_t)i;
        uint32_t map = at + u32(f, entry + 4);
        if (u16(f, entry) == 3 && u16(f, entry + 2) == 1 && u16(f, map) == 4)
            return map;
    }
    slides_stop("the font %.*s has no Unicode map", STR_ARG(f->name));
}

static void load(struct font *f, const char *file)
{
    FILE *in = fopen(file, "rb");

    if (in && fseek(in, 0, SEEK_END) == 0 && ftell(in) > 0) {
        f->n = (size_t)ftell(in);
        f->p = malloc(f->n);
        rewind(in);
        if (f->p && fread(f->p, 1, f->n, in) != f->n)
            f->n = 0;
    }
    if (in)
        fclose(in);
    if (!f->p || f->n == 0)
        slides_stop("the font %s cannot be read", file);
}

void font_open(struct font *f, struct str name, const char *file)
{
    uint32_t bytes, head, hhea;

    *f = (struct font){.name = name};
    load(f, file);
    head = table(f, "head", &bytes);
    hhea = table(f, "hhea", &bytes);
    f->units = u16(f, head + 18);
    for (uint32_t i = 0; i < 4; i++)
        f->box[i] = s16(f, head + 36 + 2 * i);
    f->long_loca = u16(f, head + 50) != 0;
    f->ascent = s16(f, hhea + 4);
    f->descent = s16(f, hhea + 6);
    f->metrics_n = u16(f, hhea + 34);
    f->glyphs_n = u16(f, table(f, "maxp", &bytes) + 4);
    f->hmtx = table(f, "hmtx", &bytes);
    f->loca = table(f, "loca", &bytes);
    f->glyf = table(f, "glyf", &bytes);
    f->cmap = find_cmap(f);
    if (f->units == 0 || f->metrics_n == 0)
        slides_stop("the font %s is damaged", file);
}

/* --- Glyphs -----------------------------------------------------------------
 */

/* Format 4: segments of characters, by their ends. */
static uint32_t look_up(const struct font *f, uint32_t c)
{
    uint64_t n = u16(f, f->cmap + 6), ends = f->cmap + 14;
    uint64_t starts = ends + n + 2, deltas = starts + n, offsets = deltas + n;

    for (uint64_t i = 0; i < n; i += 2) {
        if (u16(f, ends + i) < c)
            continue;
        uint32_t start = u16(f, starts + i), offset = u16(f, offsets + i);
        if (start > c)
            return 0;
        if (offset == 0)
            return (c + u16(f, deltas + i)) & 0xffff;
        uint32_t g = u16(f, offsets + i + offset + 2 * (uint64_t)(c - start));
        return g ? (g + u16(f, deltas + i)) & 0xffff : 0;
    }
    return 0;
}

uint32_t font_glyph(struct font *f, uint32_t c)
{
    uint32_t g = c < 0x10000 ? look_up(f, c) : 0;

    if (g == 0 || g >= f->glyphs_n)
        slides_stop("the font %.*s has no character U+%04X", STR_ARG(f->name),
                    c);
    f->seen[g] = c;
    return g;
}

double font_width(const struct font *f, uint32_t glyph)
{
    uint32_t last = f->metrics_n - 1, i = glyph < last ? glyph : last;

    return 1000.0 * u16(f, f->hmtx + 4 * (uint64_t)i) / f->units;
}

/* --- Only what is used ------------------------------------------------------
 */

static uint64_t outline(const struct font *f, uint32_t glyph)
{
    uint64_t at = f->long_loca ? u32(f, f->loca + 4 * (uint64_t)glyph)
                               : 2 * u16(f, f->loca + 2 * (uint64_t)glyph);

    check(f, f->glyf + at, 0);
    return f->glyf + at;
}

/* An accented letter is made of other glyphs, which are needed too. */
static void keep(const struct font *f, uint32_t glyph, bool *kept, int depth)
{
    enum { WORDS = 1, SCALE = 8, MORE = 32, SCALES = 64, MATRIX = 128 };
    uint64_t at = outline(f, glyph);

    kept[glyph] = true;
    if (at == outline(f, glyph + 1) || s16(f, at) >= 0 || depth > 8)
        return;
    uint32_t flags;
    at += 10;
    do {
        flags = u16(f, at);
        if (u16(f, at + 2) < f->glyphs_n)
            keep(f, u16(f, at + 2), kept, depth + 1);
        at += flags & WORDS ? 8 : 6;
        at += flags & SCALE ? 2 : flags & SCALES ? 4 : flags & MATRIX ? 8 : 0;
    } while (flags & MORE);
}

static void blank_table(struct font *f, const char *tag)
{
    uint32_t bytes, at = table(f, tag, &bytes);

    memset(f->p + at, 0, bytes);
}

void font_reduce(struct font *f)
{
    static bool kept[GLYPHS_MAX];

    memset(kept, 0, sizeof(kept));
    keep(f, 0, kept, 0);
    for (uint32_t g = 0; g < f->glyphs_n; g++)
        if (f->seen[g])
            keep(f, g, kept, 0);
    for (uint32_t g = 0; g < f->glyphs_n; g++) {
        uint64_t from = outline(f, g), to = outline(f, g + 1);
        if (!kept[g] && to > from)
            memset(f->p + from, 0, to - from);
    }
    blank_table(f, "GPOS");
    blank_table(f, "GSUB");
    blank_table(f, "name");
    blank_table(f, "post");
}
