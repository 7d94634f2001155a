/* leaders.c - finds runs of dots, with spaces between them or without. */
#include "ingest/text/leaders.h"
#include "base/utf8.h"
#include "ingest/text/lines.h"

enum { DOTS = 4, FEW_DOTS = 2 };

/* A dot of a leader: ".", a middle dot, a bullet, an ellipsis, which is three.
 * Its bytes, 0 when there is none. */
static size_t dot_at(struct str s, size_t at, size_t *dots)
{
    static const struct {
        struct str bytes;
        size_t dots;
    } kinds[] = {{{".", 1}, 1},
                 {{"\xc2\xb7", 2}, 1},
                 {{"\xe2\x80\xa6", 3}, 3},
                 {{"\xe2\x80\xa4", 3}, 1},
                 {{"\xe2\x8b\x85", 3}, 1}};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (str_starts(str_skip(s, at), kinds[i].bytes)) {
            *dots = kinds[i].dots;
            return kinds[i].bytes.n;
        }
    return 0;
}

/* The bytes of the leader that begins at `at`, and of the spaces behind its
 * dots; 0 when there is none. */
static size_t leader_at(struct str s, size_t at, size_t least, size_t *spaced)
{
    size_t end = at, sum = 0, dots, n;

    *spaced = 0;
    while (end < s.n && (n = dot_at(s, end, &dots)) > 0) {
        sum += dots;
        end += n;
        *spaced += end < s.n && s.p[end] == ' ';
        while (end < s.n && s.p[end] == ' ')
            end++;
    }
    return sum >= least ? end - at : 0;
}

/* The last word is "12", "12," or "xii". */
static bool ends_in_page(struct str line, int64_t pages)
{
    size_t from;
    int64_t n = 0;

    while (line.n && strchr(" ,.", line.p[line.n - 1]))
        line.n--;
    for (from = line.n; from > 0 && !strchr(" ,.", line.p[from - 1]);)
        from--;
    struct str word = str_skip(line, from);
    if (from == 0 || word.n == 0 || word.n > 7)
        return false;
    if (str_i64(word, &n))
        return n >= 1 && n <= pages;
    for (size_t i = 0; i < word.n; i++)
        if (!strchr("ivxlc", word.p[i]))
            return false;
    return true;
}

static bool has_letter(struct str line)
{
    for (size_t i = 0; i < line.n; i++)
        if ((line.p[i] | 0x20) >= 'a' && (line.p[i] | 0x20) <= 'z')
            return true;
    return false;
}

bool leaders_entry(struct str line, int64_t pages)
{
    size_t spaced;

    for (size_t i = 0; i < line.n; i++)
        if (leader_at(line, i, DOTS, &spaced))
            return true;
    return has_letter(line) && ends_in_page(line, pages);
}

/* Whether these are numbers of pages, as "3, 8, 12", and no more. */
static bool is_pages(struct str rest)
{
    size_t digits = 0;

    rest = lines_trim(rest);
    for (size_t i = 0; i < rest.n; i++) {
        if (rest.p[i] >= '0' && rest.p[i] <= '9')
            digits++;
        else if (rest.p[i] != ' ' && rest.p[i] != ',')
            return false;
    }
    return digits > 0;
}

bool leaders_strip(struct str line, struct buf *out)
{
    bool found = false;

    for (size_t i = 0; i < line.n;) {
        size_t spaced, n = leader_at(line, i, DOTS, &spaced);
        size_t few = leader_at(line, i, FEW_DOTS, &spaced);
        if (n == 0 && few && is_pages(str_skip(line, i + few)))
            n = few;
        if (n == 0) {
            buf_add_c(out, line.p[i++]);
            continue;
        }
        found = true;
        i += n;
        if (out->n && out->p[out->n - 1] != ' ' && i < line.n)
            buf_add_c(out, ' ');
    }
    return found;
}

void leaders_strip_entry(struct str line, struct buf *out)
{
    for (size_t i = 0, spaced; i < line.n; i++) {
        size_t n = leader_at(line, i, DOTS, &spaced);
        if (n && (spaced >= DOTS || is_pages(str_skip(line, i + n)))) {
            leaders_strip(line, out);
            return;
        }
        i += n ? n - 1 : 0;
    }
    buf_add(out, line);
}

bool leaders_contents(size_t lines, size_t entries, size_t dotted)
{
    if (dotted >= 4 && 3 * dotted >= lines)
        return true;
    return lines >= 10 && 5 * entries >= 3 * lines;
}
