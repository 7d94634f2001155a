/* multipart_test.c - forms with files, whole and in pieces, good and broken. */
#include "base/buf.h"
#include "http/core/multipart.h"
#include "test.h"

enum { SEEN_BYTES_MAX = 64 * 1024 };

#define TYPE      "multipart/form-data; boundary=XX"
#define PART(h)   "--XX\r\nContent-Disposition: form-data; " h "\r\n\r\n"
#define LAST_MARK "--XX--\r\n"

static enum footnote_rc begin(void *arg, const struct form_part *p,
                              struct footnote_err *err)
{
    (void)err;
    buf_printf(arg, "%.*s", STR_ARG(p->name));
    if (p->filename.p)
        buf_printf(arg, "(%.*s)", STR_ARG(p->filename));
    if (p->type.p)
        buf_printf(arg, "<%.*s>", STR_ARG(p->type));
    buf_add_c(arg, '=');
    return FOOTNOTE_OK;
}

static enum footnote_rc take(void *arg, struct str bytes,
                             struct footnote_err *err)
{
    (void)err;
    buf_add(arg, bytes);
    return FOOTNOTE_OK;
}

static enum footnote_rc end(void *arg, struct footnote_err *err)
{
    (void)err;
    buf_add_c(arg, ';');
    return FOOTNOTE_OK;
}

static enum footnote_rc read_in(const char *type, struct str body, size_t step,
                                struct buf *seen, struct footnote_err *err)
{
    static struct multipart m;
    struct multipart_to to = {seen, begin, take, end};

    TRY(multipart_init(&m, str_c(type), err));
    while (body.n) {
        size_t n = step < body.n ? step : body.n;

        TRY(multipart_feed(&m, (struct str){body.p, n}, &to, err));
        body = str_skip(body, n);
    }
    return multipart_finish(&m, err);
}

static const struct {
    const char *type, *body, *seen;
} good[] = {
    {TYPE, PART("name=\"a\"") "1\r\n" PART("name=b") "2\r\n" LAST_MARK,
     "a=1;b=2;"},
    {TYPE,
     PART("name=\"file\"; filename=\"x y.pdf\"\r\nContent-Type: "
          "application/pdf") "\r\n\r\n--X\r\n--\r\n" LAST_MARK,
     "file(x y.pdf)<application/pdf>=\r\n\r\n--X\r\n--;"},
    {TYPE,
     PART("name=f; filename=x; filename*=UTF-8'de'%C3%BC%20.txt") "\r\n"
                                                                  "--XX-"
                                                                  "-",
     "f(\xc3\xbc .txt)=;"},
    {TYPE,
     PART(
         "name=f; filename=\"C:\\\\a\\\\..\\\\b/c\\\"%22.txt\"") "\r"
                                                                 "\n" LAST_MARK,
     "f(c\"\".txt)=;"},
    {TYPE, "\r\n" PART("name=f; filename=\"\"") "\r\n" LAST_MARK, "f()=;"},
    {"Multipart/Form-Data; charset=utf-8; BOUNDARY=\"XX\"",
     PART("NAME=\"a\"\r\nContent-Transfer-Encoding: BINARY\r\nX-Other: "
          "1") "\r\r\n" LAST_MARK,
     "a=\r;"},
};

TEST(multipart_forms_are_read_alike_in_any_pieces)
{
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        for (size_t step = 1; step < 80; step++) {
            AUTO(buf_free) struct buf seen = BUF(SEEN_BYTES_MAX);
            struct footnote_err err;

            CHECK_OK(
                read_in(good[i].type, str_c(good[i].body), step, &seen, &err),
                &err);
            CHECK_TEXT(buf_str(&seen), str_c(good[i].seen));
        }
}

TEST(multipart_what_is_broken_is_refused)
{
    static const struct {
        const char *type, *body, *why;
    } bad[] = {
        {"multipart/form-data", "", "no boundary"},
        {"multipart/form-data; boundary=", "", "no boundary"},
        {"multipart/form-data; boundary=\"a\nb\"", "", "cannot be one"},
        {"multipart/form-data; boundary=a; boundary=b", "", "cannot be one"},
        {TYPE, "", "before its last boundary"},
        {TYPE, LAST_MARK, "goes on"},
        {TYPE, "x" PART("name=a") "\r\n" LAST_MARK, "does not begin"},
        {TYPE, PART("name=a") "1", "before its last boundary"},
        {TYPE, PART("name=a") "1\r\n--XX-", "before its last boundary"},
        {TYPE, PART("name=a") "1\r\n--XXY\r\n", "goes on"},
        {TYPE, PART("name=a") "1\r\n" LAST_MARK "more", "does not end"},
        {TYPE, PART("name=a") "\r\n" PART("name=a") "\r\n" LAST_MARK,
         "a: came twice"},
        {TYPE, PART("name=\"\"") "\r\n" LAST_MARK, "no name"},
        {TYPE, PART("x=y") "\r\n" LAST_MARK, "no name"},
        {TYPE, PART("name=\"\xff\"") "\r\n" LAST_MARK, "no name"},
        {TYPE, PART("name=a; name=b") "\r\n" LAST_MARK, "cannot be read"},
        {TYPE, PART("name=\"a") "\r\n" LAST_MARK, "cannot be read"},
        {TYPE, PART("name=a; filename=\"\x01\"") "\r\n" LAST_MARK, "no header"},
        {TYPE, PART("name=a; filename*=latin1''x") "\r\n" LAST_MARK,
         "filename*"},
        {TYPE, PART("name=a; filename*=UTF-8''%c3") "\r\n" LAST_MARK,
         "not UTF-8"},
        {TYPE, "--XX\r\n\r\nx\r\n\r\n", "no header"},
        {TYPE, "--XX\r\nContent-Type: a/b\r\n\r\n\r\n" LAST_MARK,
         "no Content-Disposition"},
        {TYPE, "--XX\r\nContent-Disposition: attachment; name=a\r\n\r\n",
         "no form-data"},
        {TYPE, PART("name=a\r\nContent-Transfer-Encoding: base64") "\r\n",
         "encoding"},
        {TYPE, PART("name=a\r\n folded: x") "\r\n", "no header"},
        {TYPE, "--XX\nContent-Disposition", "goes on"},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        for (size_t step = 1; step < 100; step += 98) {
            AUTO(buf_free) struct buf seen = BUF(SEEN_BYTES_MAX);
            struct footnote_err err = {.text = ""};

            CHECK_INT(
                read_in(bad[i].type, str_c(bad[i].body), step, &seen, &err),
                FOOTNOTE_INVALID);
            if (!strstr(err.text, bad[i].why))
                FAIL("%zu: \"%s\" has no \"%s\"", i, err.text, bad[i].why);
        }
}

TEST(multipart_has_limits)
{
    AUTO(buf_free) struct buf many = BUF(SEEN_BYTES_MAX);
    AUTO(buf_free) struct buf wide = BUF(SEEN_BYTES_MAX);
    AUTO(buf_free) struct buf seen = BUF(SEEN_BYTES_MAX);
    struct footnote_err err = {.text = ""};
    char type[128] = "multipart/form-data; boundary=";

    for (int i = 0; i <= MULTIPART_PARTS_MAX; i++)
        buf_printf(&many, PART("name=p%d") "\r\n", i);
    CHECK_INT(read_in(TYPE, buf_str(&many), 1000, &seen, &err),
              FOOTNOTE_TOOBIG);
    buf_add(&wide, STR("--XX\r\nX: "));
    for (int i = 0; i < MULTIPART_HEAD_BYTES_MAX; i++)
        buf_add_c(&wide, 'x');
    CHECK_INT(read_in(TYPE, buf_str(&wide), 1000, &seen, &err),
              FOOTNOTE_TOOBIG);
    memset(type + strlen(type), 'b', MULTIPART_BOUNDARY_MAX);
    CHECK_INT(read_in(type, STR("x"), 1, &seen, &err), FOOTNOTE_INVALID);
    CHECK(strstr(err.text, "does not begin"));
    memset(type + strlen(type), 'b', 1);
    CHECK_INT(read_in(type, STR("x"), 1, &seen, &err), FOOTNOTE_INVALID);
    CHECK(strstr(err.text, "cannot be one"));
}
