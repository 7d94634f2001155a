/* head.c - checks a request's head strictly, before it is parsed.
 *
 * Two servers that read the same bytes differently can be played against each
 * other, so ambiguous bytes are refused here. */
#include <strings.h>

#include "http/core/parse.h"

size_t head_length(struct str bytes)
{
    const char *end =
        bytes.n >= 4 ? memmem(bytes.p, bytes.n, "\r\n\r\n", 4) : NULL;

    return end ? (size_t)(end - bytes.p) + 4 : 0;
}

bool head_is_token(unsigned char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool is_name(struct str s, const char *name)
{
    return s.n == strlen(name) && strncasecmp(s.p, name, s.n) == 0;
}

static struct str trim(struct str s)
{
    while (s.n && (*s.p == ' ' || *s.p == '\t'))
        s = str_skip(s, 1);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

/* A path, or * for OPTIONS.  A fragment is the browser's own; the targets of
 * proxies and tunnels are not served. */
static bool is_target(struct str method, struct str target)
{
    if (str_eq(target, STR("*")))
        return str_eq(method, STR("OPTIONS"));
    for (size_t i = 0; i < target.n; i++)
        if ((unsigned char)target.p[i] <= 0x20 ||
            (unsigned char)target.p[i] >= 0x7f || target.p[i] == '#')
            return false;
    return target.p[0] == '/';
}

/* METHOD SP target SP HTTP/1.x, with one space each. */
static int check_start(struct str line)
{
    size_t a = str_find(line, ' ');
    struct str rest = str_skip(line, a < line.n ? a + 1 : a);
    size_t b = str_find(rest, ' ');
    struct str version = str_skip(rest, b < rest.n ? b + 1 : b);

    if (a == 0 || b == 0 || b == rest.n)
        return 400;
    for (size_t i = 0; i < a; i++)
        if (!head_is_token((unsigned char)line.p[i]))
            return 400;
    if (version.n != 8 || !str_starts(version, STR("HTTP/")) ||
        version.p[5] < '0' || version.p[5] > '9' || version.p[6] != '.' ||
        version.p[7] < '0' || version.p[7] > '9')
        return 400;
    if (!str_eq(version, STR("HTTP/1.1")) && !str_eq(version, STR("HTTP/1.0")))
        return 505;
    return is_target((struct str){line.p, a}, (struct str){rest.p, b}) ? 0
                                                                       : 400;
}

/* Headers that may come once only, or not beside another. */
struct head_counts {
    int host, length, encoding, lines;
};

static bool is_number(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0 && s.n <= 18;
}

static int check_header(struct str line, struct head_counts *seen)
{
    size_t colon = str_find(line, ':');
    struct str name = {line.p, colon}, value;

    if (colon == 0 || colon == line.n)
        return 400; /* a folded line has no name */
    for (size_t i = 0; i < name.n; i++)
        if (!head_is_token((unsigned char)name.p[i]))
            return 400;
    value = trim(str_skip(line, colon + 1));
    seen->host += is_name(name, "host");
    if (is_name(name, "content-length"))
        return ++seen->length > 1 || !is_number(value) ? 400 : 0;
    if (is_name(name, "transfer-encoding"))
        return ++seen->encoding > 1 || !is_name(value, "chunked") ? 400 : 0;
    if (is_name(name, "host") && value.n == 0)
        return 400;
    return 0;
}

static int check_lines(struct str rest, struct head_counts *seen)
{
    while (rest.n > 2) {
        const char *end = memmem(rest.p, rest.n, "\r\n", 2);
        struct str line = {rest.p, end ? (size_t)(end - rest.p) : 0};
        int status = end ? check_header(line, seen) : 400;

        if (status)
            return status;
        if (++seen->lines > HTTP_HEADERS_MAX)
            return 431;
        rest = str_skip(rest, line.n + 2);
    }
    return 0;
}

/* A CR or LF alone ends a line for some and not for others; no other control
 * character has a place in a head.  A CR at the very end may yet get its LF. */
static bool has_bad_byte(struct str head)
{
    for (size_t i = 0; i < head.n; i++) {
        unsigned char c = (unsigned char)head.p[i];

        if (c >= 0x20 ? c == 0x7f : c != '\t' && c != '\r' && c != '\n')
            return true;
        if (c == '\n' && (i == 0 || head.p[i - 1] != '\r'))
            return true;
        if (i > 0 && head.p[i - 1] == '\r' && c != '\n')
            return true;
    }
    return false;
}

int head_check_start(struct str bytes)
{
    const char *end = memmem(bytes.p, bytes.n, "\r\n", 2);

    if (has_bad_byte(bytes) ||
        (bytes.n && !head_is_token((unsigned char)*bytes.p)))
        return 400;
    return end ? check_start((struct str){bytes.p, (size_t)(end - bytes.p)})
               : 0;
}

int head_check(struct str head)
{
    struct head_counts seen = {0, 0, 0, 0};
    const char *end;
    struct str line;
    bool http_1_0;
    int status;

    if (has_bad_byte(head))
        return 400;
    end = memmem(head.p, head.n, "\r\n", 2);
    if (!end)
        return 400;
    line = (struct str){head.p, (size_t)(end - head.p)};
    status = check_start(line);
    if (status)
        return status;
    http_1_0 = line.p[line.n - 1] == '0';
    status = check_lines(str_skip(head, line.n + 2), &seen);
    if (status)
        return status;
    if (seen.host > 1 || (seen.host == 0 && !http_1_0) ||
        (seen.length && seen.encoding) || (seen.encoding && http_1_0))
        return 400;
    return 0;
}
