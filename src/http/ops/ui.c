/* ui.c - the pages that people use, out of the program itself.
 *
 * The app is one page; its addresses differ for the browser only.  The files
 * that it loads have a hash of their content in their names, so browsers keep
 * them and ask again for the page alone.  Each file that shrinks is carried in
 * three encodings, so that nothing is compressed while a client waits. */
#include "http/ops/ui.h"

#include <stdio.h>
#include <stdlib.h>

#include "config/config.h"
#include "http/call/services.h"
#include "http/core/text.h"
#include "http/ops/embed.h"
#include "http/ops/ops.h"
#include "object/object.h"

enum { NAME_BYTES_MAX = 200, TAG_HEX = 32 };

/* Only our scripts; no other host, but the bucket's for pictures and
 * recordings; and text becomes markup only through the policy that sanitises
 * it. */
static struct str content_policy(struct request *r)
{
    const struct objects *o = services(r)->objects;
    struct str bucket = o ? objects_origin(o) : STR_NONE;
    const char *gap = bucket.n ? " " : "";
    struct str made = arena_printf(
        &r->arena,
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self'%s%.*s; font-src 'self'; media-src 'self'%s%.*s; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; "
        "trusted-types dompurify",
        gap, STR_ARG(bucket), gap, STR_ARG(bucket));

    return made.p ? made : STR("default-src 'none'");
}

/* ---- Headers of a file -------------------------------------------------- */

struct str ui_type(struct str name)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".woff2", "font/woff2"},
    };

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        struct str end = str_c(types[i][0]);

        if (name.n > end.n && str_eq(str_skip(name, name.n - end.n), end))
            return str_c(types[i][1]);
    }
    return STR("application/octet-stream");
}

void ui_page_headers(struct request *r)
{
    reply_header(r, STR("Content-Security-Policy"), content_policy(r));
    reply_header(r, STR("Referrer-Policy"), STR("same-origin"));
    reply_header(r, STR("Cross-Origin-Opener-Policy"), STR("same-origin"));
    reply_header(r, STR("Permissions-Policy"),
                 STR("camera=(), geolocation=(), microphone=()"));
    reply_header(r, STR("Cache-Control"), STR("no-cache"));
}

void ui_missing(struct request *r)
{
    reply_problem(r, &(struct problem){.status = 404,
                                       .code = STR("not_found"),
                                       .text = STR("Nothing is here")});
}

/* ---- Finding it --------------------------------------------------------- */

static int by_name(const void *name, const void *file)
{
    return strcmp(name, ((const struct embed *)file)->name);
}

/* A folder that the program carries. */
struct embed_folder {
    const struct embed *files; /* in the order of their names */
    size_t n;
};

struct content_encoding {
    const char *end, *coding; /* of the name; NULL: accepted by all */
};
static const struct content_encoding encodings[] = {
    {".br", "br"}, {".gz", "gzip"}, {"", NULL}};

/* The smallest encoding that the client accepts; *coding is NULL when it has
 * none.  NULL when there is no such file. */
static const struct embed *choose_file(const struct request *r,
                                       const struct embed_folder *f,
                                       struct str name, const char **coding)
{
    struct str accepts = request_header(r, STR("accept-encoding"));
    char path[NAME_BYTES_MAX + 8];

    for (size_t i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
        const struct embed *found;

        if (encodings[i].coding &&
            !text_accepts(accepts, str_c(encodings[i].coding)))
            continue;
        (void)snprintf(path, sizeof(path), "%.*s%s", STR_ARG(name),
                       encodings[i].end);
        found = bsearch(path, f->files, f->n, sizeof(f->files[0]), by_name);
        *coding = encodings[i].coding;
        if (found)
            return found;
    }
    return NULL;
}

/* ---- Sending it --------------------------------------------------------- */

static bool client_has(struct request *r, struct str body)
{
    struct str match = request_header(r, STR("if-none-match"));
    char hex[SHA256_HEX + 1];
    struct sha256 digest;

    if (sha256(body, &digest, NULL) != FOOTNOTE_OK)
        return false; /* it goes without a tag */
    sha256_hex(&digest, hex);
    reply_header(r, STR("ETag"),
                 arena_printf(&r->arena, "\"%.*s\"", TAG_HEX, hex));
    return match.p && memmem(match.p, match.n, hex, TAG_HEX);
}

/* `file` is a view of a file that outlives the request. */
static void send_file(struct request *r, struct str name,
                      const struct embed *file, const char *coding)
{
    reply_header(r, STR("Vary"), STR("Accept-Encoding"));
    if (client_has(r, embed_str(file))) {
        reply_empty(r, 304);
        return;
    }
    if (coding)
        reply_header(r, STR("Content-Encoding"), str_c(coding));
    r->reply.uncompressed = true;
    reply_text(r, 200, ui_type(name), embed_str(file));
}

void ui_page(struct request *r)
{
    const struct config *config = services(r)->config;
    const struct embed_folder folder = {page_files, page_files_n};
    const struct embed *file;
    const char *coding;

    if (config->no_ui) {
        if (str_eq(r->path, STR("/")))
            page_front(r);
        else
            ui_missing(r);
        return;
    }
    if (config->ui_dir.n) {
        request_work(r, ui_dir_page);
        return;
    }
    file = choose_file(r, &folder, STR("index.html"), &coding);
    if (!file) { /* a build without web/dist has the API alone */
        page_front(r);
        return;
    }
    ui_page_headers(r);
    send_file(r, STR("index.html"), file, coding);
}

void ui_asset(struct request *r)
{
    const struct config *config = services(r)->config;
    const struct embed_folder folder = {asset_files, asset_files_n};
    const struct embed *file = NULL;
    struct str name = r->params[0];
    const char *coding;

    if (!config->no_ui && config->ui_dir.n) {
        request_work(r, ui_dir_asset);
        return;
    }
    if (!config->no_ui && name.n <= NAME_BYTES_MAX)
        file = choose_file(r, &folder, name, &coding);
    if (!file) {
        ui_missing(r);
        return;
    }
    reply_header(r, STR("Cache-Control"),
                 STR("public, max-age=31536000, immutable"));
    send_file(r, name, file, coding);
}
