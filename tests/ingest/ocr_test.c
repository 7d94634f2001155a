/* ocr_test.c - words of pages that are pictures. */
#include "base/fd.h"
#include "ingest/pdf/page.h"
#include "ingest/pdf/page_ocr.h"
#include "ingest/pdf/poppler.h"
#include "read_passages.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum footnote_rc to_fd(struct str bytes, void *arg,
                              struct footnote_err *err)
{
    (void)err;
    CHECK_INT(write(*(int *)arg, bytes.p, bytes.n), bytes.n);
    return FOOTNOTE_OK;
}

/* Page 1 of the paper as a scanner would have it. */
static int scan(void)
{
    AUTO(fd_closep)
    int pdf = open("tests/ingest/files/paper.pdf", O_RDONLY | O_CLOEXEC);
    int fd = memfd_create("scan", MFD_CLOEXEC);
    const char *const argv[] = {"pdftoppm",    "-gray", "-r", "150",
                                "-f",          "1",     "-l", "1",
                                "-singlefile", "-png",  "-",  NULL};
    struct footnote_err err;

    CHECK(pdf >= 0 && fd >= 0);
    CHECK_OK(poppler_run(argv, pdf, to_fd, &fd, &err), &err);
    return fd;
}

static enum footnote_rc keep_words(void *arg, const struct passage *p,
                                   struct footnote_err *err)
{
    (void)err;
    buf_add(arg, p->text);
    buf_add_c(arg, '\n');
    CHECK_INT(p->page, 1);
    return FOOTNOTE_OK;
}

TEST(a_picture_is_read_by_its_letters_and_says_so)
{
    AUTO(fd_closep) int fd = scan();
    AUTO(buf_free) struct buf text = BUF(1024 * 1024);
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    const struct passage_sink sink = {.arg = &text, .passage = keep_words};
    struct extract_facts facts;
    struct footnote_err err;

    CHECK_OK(picture_run(fd, "eng", &a, &sink, &facts, &err), &err);
    buf_add_c(&text, '\0');
    CHECK(strstr(text.p, "Fog is a cloud that touches the ground."));
    CHECK_INT(facts.pages, 1);
    CHECK(strstr(facts.warning, "recognised in a picture (OCR), 9"));
}

static void refused(const char *bytes, size_t n, const char *languages,
                    enum footnote_rc rc, const char *word)
{
    AUTO(fd_closep) int fd = memfd_create("bad", MFD_CLOEXEC);
    AUTO(arena_free) struct arena a = ARENA(SCRATCH);
    AUTO(buf_free) struct buf text = BUF(1024 * 1024);
    const struct passage_sink sink = {.arg = &text, .passage = keep_words};
    struct extract_facts facts;
    struct footnote_err err;

    CHECK_INT(write(fd, bytes, n), n);
    CHECK_INT(picture_run(fd, languages, &a, &sink, &facts, &err), rc);
    if (!strstr(err.text, word))
        FAIL("\"%s\" does not say \"%s\"", err.text, word);
}

TEST(bad_pictures_are_refused_in_words)
{
    /* 60000 by 60000 points, of which there are none. */
    static const char bomb[] = "P5\n60000 60000\n255\nx";

    refused("\x89PNG\r\n\x1a\n", 8, "eng", FOOTNOTE_INVALID, "damaged");
    refused(bomb, sizeof(bomb) - 1, "eng", FOOTNOTE_INVALID, "damaged");
    refused("\x89PNG\r\n\x1a\n", 8, NULL, FOOTNOTE_INVALID, "switched off");
}

TEST(only_pages_without_words_want_to_be_recognised)
{
    CHECK(page_ocr_wants(STR("<page>\n</page>")));
    CHECK(page_ocr_wants(STR("<word a>7</word>\n<word b>8</word>")));
    CHECK(!page_ocr_wants(
        STR("<word >a</word><word >b</word><word >c</word><word >d</word>")));
}
