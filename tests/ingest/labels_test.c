/* labels_test.c - what is printed on the pages of a PDF, from what qpdf says.
 */
#include "base/buf.h"
#include "ingest/pdf/labels.h"
#include "test.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILES "tests/ingest/files/"

/* What is made of these ranges of a PDF of 300 pages; "" is nothing. */
static const char *made(const char *ranges)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 20);
    static char text[8192];

    int n = snprintf(text, sizeof(text), "{\"version\":2,\"pagelabels\":[%s]}",
                     ranges);
    CHECK(n > 0 && (size_t)n < sizeof(text));
    struct str out = labels_read(str_c(text), 300, &a);
    CHECK(out.n < sizeof(text));
    if (out.n)
        memcpy(text, out.p, out.n);
    text[out.n] = '\0';
    return text;
}
#define RANGE(index, label) "{\"index\":" index ",\"label\":{" label "}}"
#define MADE(page, style, prefix, first)                                       \
    "{\"page\":" page ",\"style\":" style ",\"prefix\":\"" prefix              \
    "\",\"first\":" first "}"

TEST(labels_of_a_book_are_roman_then_count_anew)
{
    CHECK_STR(
        made(RANGE("0", "\"/P\":\"u:T-\",\"/S\":\"/D\",\"/St\":1") "," RANGE(
            "2",
            "\"/S\":\"/r\"") "," RANGE("12",
                                       "\"/S\":\"/D\"") "," RANGE("280",
                                                                  "\"/S\":\"/"
                                                                  "A\",\"/"
                                                                  "St\":2")),
        "[" MADE("1", "\"1\"", "T-", "1") "," MADE(
            "3", "\"i\"", "", "1") "," MADE("13", "\"1\"", "",
                                            "1") "," MADE("281", "\"A\"", "",
                                                          "2") "]");
    CHECK_STR(made(RANGE("0", "\"/P\":\"u:a\\u0007b\",\"/S\":\"/D\"")),
              "[" MADE("1", "\"1\"", "ab", "1") "]");
    CHECK_STR(made(RANGE("0", "\"/P\":\"u:Cover\"") "," RANGE(
                  "1", "\"/S\":\"/D\",\"/St\":1")),
              "[" MADE("1", "null", "Cover", "1") "," MADE("2", "\"1\"", "",
                                                           "1") "]");
}

TEST(labels_that_only_count_are_none)
{
    CHECK_STR(made(RANGE("0", "\"/S\":\"/D\"")), "");
    CHECK_STR(made(RANGE("0", "\"/S\":\"/D\",\"/St\":1") "," RANGE(
                  "7", "\"/S\":\"/D\",\"/St\":8")),
              "");
    /* A range for each page, its number as the prefix. */
    CHECK_STR(made(RANGE("0", "\"/P\":\"u:1\"") "," RANGE(
                  "1", "\"/P\":\"u:2\"") "," RANGE("2", "\"/P\":\"u:3\"")),
              "");
    CHECK_STR(
        made(RANGE("0", "\"/P\":\"u:9\"") "," RANGE("1", "\"/P\":\"u:10\"")),
        "[" MADE("1", "\"1\"", "", "9") "]");
    CHECK_STR(made(""), "");
}

TEST(labels_that_are_strange_are_none)
{
    static const char *const strange[] = {
        RANGE("3", "\"/S\":\"/r\""), /* what are the first pages called? */
        RANGE("0", "\"/S\":\"/r\"") "," RANGE("0", "\"/S\":\"/D\""),
        RANGE("0", "\"/S\":\"/r\"") "," RANGE("300", "\"/S\":\"/D\""),
        RANGE("-1", "\"/S\":\"/r\""),
        RANGE("\"0\"", "\"/S\":\"/r\""),
        RANGE("0", "\"/S\":\"/r\",\"/St\":0"),
        RANGE("0", "\"/S\":\"/r\",\"/St\":-3"),
        RANGE("0", "\"/S\":\"/r\",\"/St\":1000001"),
        RANGE("0", "\"/S\":\"/r\",\"/St\":1.5"),
        RANGE("0", "\"/P\":\"u:a prefix that has more bytes\""),
        RANGE("0", "\"/P\":\"b:00ff\""),
        RANGE("0", "\"/P\":\"u:\\u202Egnol\",\"/S\":\"/D\""),
        RANGE("0", "\"/P\":\"u:a\\nb\",\"/S\":\"/D\""),
        "{\"index\":0,\"label\":null}",
        "{\"index\":0}",
        "null",
        "7",
    };
    AUTO(arena_free) struct arena a = ARENA(1 << 20);

    for (size_t i = 0; i < sizeof(strange) / sizeof(*strange); i++)
        if (made(strange[i])[0])
            FAIL("%s became %s", strange[i], made(strange[i]));
    CHECK(!labels_read(STR(""), 9, &a).p);
    CHECK(!labels_read(STR("{\"pagelabels\":{}}"), 9, &a).p);
    CHECK(!labels_read(STR("{\"pagelabels\":[{\"index\":0"), 9, &a).p);
}

TEST(labels_in_too_many_ranges_are_none)
{
    AUTO(buf_free) struct buf b = BUF(1 << 20);
    AUTO(arena_free) struct arena a = ARENA(1 << 20);

    for (int n = LABELS_MAX; n <= LABELS_MAX + 1; n++) {
        buf_reset(&b);
        buf_add(&b, STR("{\"pagelabels\":["));
        for (int i = 0; i < n; i++)
            buf_printf(&b, "%s{\"index\":%d,\"label\":{\"/P\":\"u:%c\"}}",
                       i ? "," : "", i, 'a' + i % 7);
        buf_add(&b, STR("]}"));
        CHECK_INT(labels_read(buf_str(&b), 5000, &a).p != NULL,
                  n == LABELS_MAX);
    }
}

static struct str labels_of(const char *path, struct arena *a)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct footnote_err err;
    struct str out;

    CHECK(fd >= 0);
    CHECK_OK(pdf_labels(fd, 4, a, &out, &err), &err);
    close(fd);
    return out;
}

TEST(labels_are_read_from_a_pdf_in_the_jail)
{
    AUTO(arena_free) struct arena a = ARENA(1 << 20);

    CHECK_TEXT(labels_of(FILES "labels.pdf", &a),
               STR("[" MADE("1", "\"i\"", "", "1") "," MADE("3", "\"1\"", "",
                                                            "1") "]"));
    CHECK(!labels_of(FILES "paper.pdf", &a).p);
    CHECK(!labels_of(FILES "broken.pdf", &a).p);
    CHECK(!labels_of(FILES "encrypted.pdf", &a).p);
    CHECK(!labels_of(FILES "bomb.pdf", &a).p);
}

/* Where Debian puts programs, they are found without a PATH, too. */
TEST(labels_are_read_whatever_the_path_says)
{
    static const char *const paths[] = {"", NULL, ".:relative:/nowhere"};
    AUTO(arena_free) struct arena a = ARENA(1 << 20);

    for (size_t i = 0; i < 3; i++) {
        if (paths[i])
            setenv("PATH", paths[i], 1);
        else
            unsetenv("PATH");
        CHECK(labels_of(FILES "labels.pdf", &a).p);
    }
}
