/* detect.c - what a file is: by its first bytes, then by its name.
 *
 * Bytes win, because names are wrong more often: a lecture saved as
 * "notes.txt" may be WebVTT, and "slides.pdf" a program. */
#include "ingest/format/extract.h"
#include "ingest/text/charset.h"
#include "ingest/text/lines.h"

static const char a_program[] = "this is a program, not a document";
static const char a_picture[] =
    "this is a picture of a kind that Footnote cannot read: save it as PNG and "
    "upload that";
static const char an_archive[] =
    "this is an archive: unpack it and upload the files in it";
static const char old_office[] =
    "this is an old Office file, or one protected by a password: save it as "
    ".docx, .pptx or PDF without a password and upload it again";
static const char open_document[] =
    "this is an OpenDocument file that is neither text nor slides: save it as "
    "PDF and upload that";
static const char postscript[] =
    "this is a PostScript file: make a PDF of it (ps2pdf does) and upload that";
static const char xml_data[] =
    "this is XML, which only a program can show: save it as HTML or PDF and "
    "upload that";
static const char texinfo[] =
    "this is the source of a Texinfo manual: make HTML or PDF of it (makeinfo "
    "does) and upload that";
static const char a_man_page[] =
    "this is the source of a manual page: make PDF of it (man -Tpdf does) and "
    "upload that";

/* Files that are not read as documents, in the order they are tried. */
static const struct other_file {
    size_t at;
    struct str bytes;
    const char *refusal; /* NULL: it is `format` */
    enum extract_format format;
} other_files[] = {
#define AT(at, bytes, refusal)                                                 \
    {                                                                          \
        at, {"" bytes, sizeof(bytes) - 1}, refusal, FORMAT_MEDIA               \
    }
#define PICTURE(at, bytes, format)                                             \
    {                                                                          \
        at, {"" bytes, sizeof(bytes) - 1}, NULL, format                        \
    }
    // clang-format off
    AT(0, "MZ",                a_program),
    AT(0, "\x7f" "ELF",        a_program),
    AT(0, "\xca\xfe\xba\xbe",  a_program),
    AT(0, "\xcf\xfa\xed\xfe",  a_program),
    AT(0, "\0asm",             a_program),
    PICTURE(0, "\x89PNG",     FORMAT_PNG),
    PICTURE(0, "\xff\xd8\xff", FORMAT_JPEG),
    PICTURE(0, "II*\0",        FORMAT_TIFF),
    PICTURE(0, "MM\0*",        FORMAT_TIFF),
    AT(0, "GIF8",              a_picture),
    PICTURE(8, "WEBP",         FORMAT_WEBP),
    AT(0, "\x1f\x8b",          an_archive),
    AT(0, "7z\xbc\xaf",        an_archive),
    AT(0, "Rar!",              an_archive),
    AT(0, "BZh",               an_archive),
    AT(0, "\xfd" "7zXZ",       an_archive),
    AT(0, "\xd0\xcf\x11\xe0",  old_office),
    AT(0, "%!PS",              postscript),
    AT(0, "\x04%!PS",          postscript),
    AT(0, "\xc5\xd0\xd3\xc6",  postscript), /* with a preview */
    AT(4, "ftyp",              NULL),
    AT(0, "\x1a\x45\xdf\xa3",  NULL), /* webm, mkv */
    AT(0, "OggS",              NULL),
    AT(0, "ID3",               NULL),
    AT(0, "fLaC",              NULL),
    AT(8, "WAVE",              NULL),
    AT(8, "AVI ",              NULL),
    AT(0, "\xff\xfb",          NULL), /* mp3 */
    AT(0, "\xff\xf3",          NULL),
    // clang-format on
};

/* ---- Texts that are markup ------------------------------------------------
 */

static bool has(struct str head, const char *word)
{
    return head.n && memmem(head.p, head.n, word, strlen(word));
}

/* The name of a header line of an e-mail, as "Subject"; absent when the line is
 * none. */
static struct str header_name(struct str line)
{
    size_t n = str_find(line, ':');

    for (size_t i = 0; i < n; i++)
        if ((unsigned char)line.p[i] <= ' ' || (unsigned char)line.p[i] > 126)
            return STR_NONE;
    return n > 0 && n < line.n ? (struct str){line.p, n} : STR_NONE;
}

/* Whether a text begins with the headers of an e-mail.  People write "From:"
 * and "Subject:" too; these are written by mail programs alone. */
bool is_mail(struct str head)
{
    static const char *const machine[] = {
        "received",     "return-path",  "message-id", "mime-version",
        "delivered-to", "content-type", "x-mailer",   "dkim-signature"};
    struct str line;
    int seen = 0, person = 0;

    if (str_starts(head, STR("From ")))
        lines_next(&head, &line); /* of a mailbox */
    while (lines_next(&head, &line) && line.n) {
        struct str name = header_name(line);

        if (!name.p && line.p[0] != ' ' && line.p[0] != '\t')
            return false;
        person += lines_same(name, STR("from")) || lines_same(name, STR("to"));
        for (size_t i = 0; i < sizeof(machine) / sizeof(machine[0]); i++)
            seen += lines_same(name, str_c(machine[i]));
    }
    return seen >= 2 || (seen == 1 && person > 0);
}

bool is_notebook(struct str head)
{
    struct str text = lines_trim(head);

    return str_starts(text, STR("{")) &&
           ((has(head, "\"cells\"") &&
             (has(head, "\"cell_type\"") || has(head, "\"nbformat\""))) ||
            (has(head, "\"worksheets\"") && has(head, "\"nbformat\"")));
}

bool is_latex(struct str head)
{
    struct str line;

    while (lines_next(&head, &line)) {
        line = lines_trim(line);
        if (line.n && *line.p != '%')
            return str_starts(line, STR("\\documentclass"));
    }
    return false;
}

bool is_code(struct str head)
{
    return str_starts(head, STR("#!/")) || str_starts(head, STR("<?php"));
}

/* Of troff: comments, then the title. */
static bool is_man_page(struct str head)
{
    struct str line;

    while (lines_next(&head, &line))
        if (!str_starts(line, STR(".\\\"")) &&
            !str_starts(line, STR("'\\\"")) && lines_trim(line).n)
            return str_starts(line, STR(".TH ")) ||
                   str_starts(line, STR(".Dd ")) ||
                   str_starts(line, STR(".de "));
    return false;
}

/* Why a text is not read: what a person sees of it is not what is in it.  NULL:
 * it is. */
static const char *refuse_text(struct str head)
{
    struct str text = lines_trim(head);

    if (lines_begins(text, STR("<?xml")) || lines_begins(text, STR("<svg")))
        return has(text, "<html") || has(text, "<HTML") ? NULL : xml_data;
    if (str_starts(text, STR("\\input texinfo")))
        return texinfo;
    return is_man_page(head) ? a_man_page : NULL;
}

/* ---- By the first bytes ---------------------------------------------------
 */

static const struct other_file *find_other(struct str head)
{
    for (size_t i = 0; i < sizeof(other_files) / sizeof(other_files[0]); i++) {
        const struct other_file *o = &other_files[i];
        if (head.n >= o->at && str_starts(str_skip(head, o->at), o->bytes)) {
            /* Two letters prove little: "MZ" may begin a text. */
            bool text = o->bytes.n == 2 && head.n > 2 && charset_is_text(head);
            return text ? NULL : o;
        }
    }
    return NULL;
}

/* The format whose files, archives or texts, have names that end so. */
static enum extract_format by_extension(struct str filename, bool archive)
{
    struct str extension = lines_extension(filename);

    for (enum extract_format f = 0; f < FORMATS_N; f++) {
        const struct file_format *format = format_of(f);

        for (int i = 0; (format->zip_mark != NULL) == archive &&
                        i < FORMAT_EXTENSIONS_MAX && format->extensions[i];
             i++)
            if (lines_same(extension, str_c(format->extensions[i])))
                return f;
    }
    return FORMAT_UNKNOWN;
}

/* Names of members are readable in the head of a ZIP archive. */
static enum extract_format zip_format(struct str head, struct str filename,
                                      const char **reason)
{
    for (enum extract_format f = 0; f < FORMATS_N; f++)
        if (format_of(f)->zip_mark && has(head, format_of(f)->zip_mark))
            return f;
    *reason = has(head, "application/vnd.oasis.") ? open_document : an_archive;
    return *reason == an_archive ? by_extension(filename, true)
                                 : FORMAT_UNKNOWN;
}

static enum extract_format text_format(struct str head, struct str filename)
{
    for (enum extract_format f = 0; f < FORMATS_N; f++)
        if (format_of(f)->is && format_of(f)->is(head))
            return f;
    enum extract_format f = by_extension(filename, false);
    return f == FORMAT_UNKNOWN ? FORMAT_TEXT : f;
}

static enum extract_format detect(struct str head, struct str filename,
                                  const char **reason)
{
    static const struct str byte_order_mark = {"\xef\xbb\xbf", 3};
    const struct other_file *other;

    *reason = "this is not a kind of file that Footnote can read";
    if (head.n > EXTRACT_HEAD_BYTES)
        head.n = EXTRACT_HEAD_BYTES;
    if (str_starts(head, STR("PK\x03\x04")) ||
        str_starts(head, STR("PK\x05\x06")))
        return zip_format(head, filename, reason);
    struct str text = str_starts(head, byte_order_mark)
                          ? str_skip(head, byte_order_mark.n)
                          : head;
    for (enum extract_format f = 0; f < FORMATS_N; f++)
        if (format_of(f)->magic.n && str_starts(text, format_of(f)->magic))
            return f;
    if ((other = find_other(text))) {
        *reason = other->refusal;
        return other->refusal ? FORMAT_UNKNOWN : other->format;
    }
    /* Some programs write something in front of a PDF. */
    if (has((struct str){head.p, head.n < 1024 ? head.n : 1024}, "%PDF-"))
        return FORMAT_PDF;
    if (!charset_is_text(head))
        return FORMAT_UNKNOWN;
    const char *refusal = refuse_text(text);
    if (!refusal)
        return text_format(text, filename);
    *reason = refusal;
    return FORMAT_UNKNOWN;
}

enum extract_format format_detect(struct str head, struct str filename)
{
    const char *reason;
    return detect(head, filename, &reason);
}

const char *format_unknown_reason(struct str head, struct str filename)
{
    const char *reason;

    (void)detect(head, filename, &reason);
    return reason ? reason : "";
}
