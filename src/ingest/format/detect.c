/* detect.c - what a file is: by its first bytes, then by its name.
 *
 * Bytes win, because names are wrong more often: a lecture saved as
 * "notes.txt" may be WebVTT, and "slides.pdf" a program. */
#include "ingest/format/extract.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

static const char a_program[] = "this is a program, not a document";
static const char a_picture[] =
    "this is a picture; Footnote reads text, such as PDF, slides and notes";
static const char an_archive[] =
    "this is an archive: unpack it and upload the files in it";
static const char old_office[] =
    "this is an old Office file, or one protected by a password: save it as "
    ".docx, .pptx or PDF without a password and upload it again";
static const char a_sheet[] =
    "this is a spreadsheet: save it as PDF or text and upload that";
static const char open_document[] =
    "this is an OpenDocument or EPUB file: save it as .docx, .pptx or PDF and "
    "upload that";

/* ---- Bytes -------------------------------------------------------------- */

struct magic {
    size_t at;
    struct str bytes;
    enum extract_format format;
    const char *reason; /* of FORMAT_UNKNOWN */
};

#define MAGIC(at, bytes, format, reason)                                       \
    {                                                                          \
        at, {"" bytes, sizeof(bytes) - 1}, format, reason                      \
    }

// clang-format off
static const struct magic magics[] = {
    MAGIC(0, "%PDF-",             FORMAT_PDF, NULL),
    MAGIC(0, "WEBVTT",            FORMAT_VTT, NULL),
    MAGIC(0, "\xef\xbb\xbfWEBVTT", FORMAT_VTT, NULL),
    MAGIC(0, "MZ",                FORMAT_UNKNOWN, a_program),
    MAGIC(0, "\x7f" "ELF",        FORMAT_UNKNOWN, a_program),
    MAGIC(0, "\xca\xfe\xba\xbe",  FORMAT_UNKNOWN, a_program),
    MAGIC(0, "\xcf\xfa\xed\xfe",  FORMAT_UNKNOWN, a_program),
    MAGIC(0, "\0asm",             FORMAT_UNKNOWN, a_program),
    MAGIC(0, "\x89PNG",           FORMAT_UNKNOWN, a_picture),
    MAGIC(0, "\xff\xd8\xff",      FORMAT_UNKNOWN, a_picture),
    MAGIC(0, "GIF8",              FORMAT_UNKNOWN, a_picture),
    MAGIC(8, "WEBP",              FORMAT_UNKNOWN, a_picture),
    MAGIC(0, "\x1f\x8b",          FORMAT_UNKNOWN, an_archive),
    MAGIC(0, "7z\xbc\xaf",        FORMAT_UNKNOWN, an_archive),
    MAGIC(0, "Rar!",              FORMAT_UNKNOWN, an_archive),
    MAGIC(0, "BZh",               FORMAT_UNKNOWN, an_archive),
    MAGIC(0, "\xfd" "7zXZ",       FORMAT_UNKNOWN, an_archive),
    MAGIC(0, "\xd0\xcf\x11\xe0",  FORMAT_UNKNOWN, old_office),
    MAGIC(4, "ftyp",              FORMAT_MEDIA, NULL),
    MAGIC(0, "\x1a\x45\xdf\xa3",  FORMAT_MEDIA, NULL), /* webm, mkv */
    MAGIC(0, "OggS",              FORMAT_MEDIA, NULL),
    MAGIC(0, "ID3",               FORMAT_MEDIA, NULL),
    MAGIC(0, "fLaC",              FORMAT_MEDIA, NULL),
    MAGIC(8, "WAVE",              FORMAT_MEDIA, NULL),
    MAGIC(8, "AVI ",              FORMAT_MEDIA, NULL),
    MAGIC(0, "\xff\xfb",          FORMAT_MEDIA, NULL), /* mp3 */
    MAGIC(0, "\xff\xf3",          FORMAT_MEDIA, NULL),
};
// clang-format on

static const struct magic *find_magic(struct str head)
{
    for (size_t i = 0; i < sizeof(magics) / sizeof(magics[0]); i++) {
        const struct magic *m = &magics[i];
        if (head.n >= m->at && str_starts(str_skip(head, m->at), m->bytes))
            return m;
    }
    return NULL;
}

static bool has(struct str head, struct str word)
{
    return head.n && memmem(head.p, head.n, word.p, word.n);
}

/* Names of members are readable in the head of a ZIP archive. */
static enum extract_format zip_format(struct str head, struct str extension,
                                      const char **reason)
{
    if (has(head, STR("word/")))
        return FORMAT_DOCX;
    if (has(head, STR("ppt/")))
        return FORMAT_PPTX;
    *reason = has(head, STR("xl/"))          ? a_sheet
              : has(head, STR("mimetypeap")) ? open_document
                                             : an_archive;
    if (*reason != an_archive)
        return FORMAT_UNKNOWN;
    if (lines_same(extension, STR("docx")))
        return FORMAT_DOCX;
    return lines_same(extension, STR("pptx")) ? FORMAT_PPTX : FORMAT_UNKNOWN;
}

/* ---- Text --------------------------------------------------------------- */

static const struct {
    const char *extension;
    enum extract_format format;
} extensions[] = {
    {"md", FORMAT_MARKDOWN},    {"markdown", FORMAT_MARKDOWN},
    {"mdown", FORMAT_MARKDOWN}, {"mkd", FORMAT_MARKDOWN},
    {"html", FORMAT_HTML},      {"htm", FORMAT_HTML},
    {"xhtml", FORMAT_HTML},     {"vtt", FORMAT_VTT},
    {"srt", FORMAT_SRT},
};

/* A file that begins with "1" and a line with an arrow. */
static bool looks_srt(struct str head)
{
    struct str line;
    int64_t v;

    if (str_starts(head, STR("\xef\xbb\xbf")))
        head = str_skip(head, 3);
    do {
        if (!lines_next(&head, &line))
            return false;
        line = lines_trim(line);
    } while (line.n == 0);
    return str_i64(line, &v) && lines_next(&head, &line) &&
           has(line, STR(" --> "));
}

static enum extract_format text_format(struct str head, struct str extension)
{
    struct str start = lines_trim(head);

    if (str_starts(start, STR("\xef\xbb\xbf")))
        start = lines_trim(str_skip(start, 3));
    if (lines_begins(start, STR("<!doctype html")) ||
        lines_begins(start, STR("<html")))
        return FORMAT_HTML;
    if (looks_srt(head))
        return FORMAT_SRT;
    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        if (lines_same(extension, str_c(extensions[i].extension)))
            return extensions[i].format;
    }
    return FORMAT_TEXT;
}

/* ---- Together ----------------------------------------------------------- */

static enum extract_format look(struct str head, struct str filename,
                                const char **reason)
{
    struct str extension = lines_extension(filename);
    const struct magic *m;

    *reason = "this is not a kind of file that Footnote can read";
    if (head.n > EXTRACT_HEAD_BYTES)
        head.n = EXTRACT_HEAD_BYTES;
    if (str_starts(head, STR("PK\x03\x04")) ||
        str_starts(head, STR("PK\x05\x06")))
        return zip_format(head, extension, reason);
    m = find_magic(head);
    /* Two letters are little: "MZ" may begin a text. */
    if (m && m->bytes.n == 2 && charset_is_text(head) && head.n > 2)
        m = NULL;
    if (m) {
        *reason = m->reason;
        return m->format;
    }
    if (has((struct str){head.p, head.n < 1024 ? head.n : 1024}, STR("%PDF-")))
        return FORMAT_PDF;
    return charset_is_text(head) ? text_format(head, extension)
                                 : FORMAT_UNKNOWN;
}

enum extract_format extract_detect(struct str head, struct str filename)
{
    const char *reason;
    return look(head, filename, &reason);
}

const char *extract_unknown_reason(struct str head, struct str filename)
{
    const char *reason;

    (void)look(head, filename, &reason);
    return reason ? reason : "";
}

const char *extract_format_name(enum extract_format f)
{
    switch (f) {
    case FORMAT_UNKNOWN: break;
    case FORMAT_TEXT: return "text";
    case FORMAT_MARKDOWN: return "markdown";
    case FORMAT_HTML: return "html";
    case FORMAT_VTT: return "vtt";
    case FORMAT_SRT: return "srt";
    case FORMAT_DOCX: return "docx";
    case FORMAT_PPTX: return "pptx";
    case FORMAT_PDF: return "pdf";
    case FORMAT_MEDIA: return "media";
    }
    return "unknown";
}
