/* upload.c - see upload.h. */
#include "upload.h"

#include <ftw.h>

#include "store/document/document.h"

enum { FORM_BYTES_MAX = 64 * 1024 * 1024, FOLDERS = 16 };

struct str upload_form(struct site *s, const struct upload_part *parts)
{
    AUTO(buf_free) struct buf b = BUF(FORM_BYTES_MAX);

    for (; parts->name; parts++) {
        buf_printf(&b,
                   "--BoUnDaRy\r\nContent-Disposition: form-data; name=\"%s\"",
                   parts->name);
        if (parts->filename)
            buf_printf(&b, "; filename=\"%s\"\r\nContent-Type: x/y",
                       parts->filename);
        buf_printf(&b, "\r\n\r\n%s\r\n", parts->body);
    }
    buf_add(&b, STR("--BoUnDaRy--\r\n"));
    return arena_str(&s->arena, buf_str(&b));
}

struct json *upload_to(struct site *s, const char *header, int status,
                       const char *method, const char *path,
                       const struct upload_part *parts)
{
    struct ask ask = {.method = method,
                      .path = path,
                      .header = header,
                      .type = UPLOAD_TYPE,
                      .body = upload_form(s, parts)};

    return site_json(s, talk_ask(s, status, &ask).body);
}

struct json *upload_bytes(struct site *s, int status, const char *query,
                          struct str bytes)
{
    struct str path =
        arena_printf(&s->arena, "/api/courses/c/documents?%s", query);
    struct ask ask = {.method = "POST",
                      .path = path.p,
                      .type = "application/octet-stream",
                      .body = bytes};

    return site_json(s, talk_ask(s, status, &ask).body);
}

void upload_course(struct site *s)
{
    talk(s, 201, "POST", "/api/courses", "{'id':'c','title':'Physics'}");
    upload_bytes(s, 202, "filename=a.pdf&id=d&title=Heat", STR(UPLOAD_PDF));
}

void upload_status(struct site *s, const char *document,
                   enum document_status status)
{
    struct document_status_set op = {
        .document = str_c(document),
        .status = status,
        .error = status == DOCUMENT_FAILED ? STR("It is broken.") : STR_NONE};
    struct footnote_err err;

    CHECK_OK(store_write(s->served.store,
                         (struct who){STR("default"), STR("local")},
                         OP(document_status_set), &op, &err),
             &err);
}

/* ---- Objects ------------------------------------------------------------ */

static int files;

static int count(const char *path, const struct stat *st, int type,
                 struct FTW *w)
{
    (void)st;
    /* The secret of links is no object, nor is the owner's name. */
    files += type == FTW_F && strcmp(path + w->base, "secret") != 0 &&
             strcmp(path + w->base, "owner") != 0;
    return 0;
}

int upload_objects(void)
{
    char path[512];

    files = 0;
    snprintf(path, sizeof(path), "%s/objects", test_dir());
    nftw(path, count, FOLDERS, FTW_PHYS);
    return files;
}

void upload_await_objects(int n)
{
    WAIT_UNTIL(upload_objects() == n);
}
