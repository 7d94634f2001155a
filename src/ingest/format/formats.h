/* formats.h - every format of files that Footnote knows, in one table.
 *
 * A format is a value below, a row in formats.c, and a reader in a file of its
 * own.  Constant; any thread. */
#ifndef INGEST_FORMAT_FORMATS_H
#define INGEST_FORMAT_FORMATS_H
#include "store/document/document.h"

enum extract_format {
    FORMAT_UNKNOWN,
    FORMAT_TEXT,
    FORMAT_MARKDOWN,
    FORMAT_HTML,
    FORMAT_VTT,
    FORMAT_SRT,
    FORMAT_DOCX,
    FORMAT_PPTX,
    FORMAT_EPUB,
    FORMAT_ODT,
    FORMAT_ODP,
    FORMAT_RTF,
    FORMAT_MAIL,
    FORMAT_XLSX,
    FORMAT_ODS,
    FORMAT_CSV,
    FORMAT_NOTEBOOK,
    FORMAT_LATEX,
    FORMAT_CODE,
    FORMAT_PDF,   /* read by pdf.h: it needs a child process */
    FORMAT_MEDIA, /* a recording: kept and played, not read */
    FORMAT_PNG,   /* pictures are read by page_ocr.h */
    FORMAT_JPEG,
    FORMAT_TIFF,
    FORMAT_WEBP,
    FORMATS_N
};

struct format_reader; /* reader.h */
typedef enum footnote_rc read_fn(struct format_reader *r,
                                 struct footnote_err *err);
read_fn read_text, read_markdown, read_html, read_transcript, read_docx,
    read_pptx, read_epub, read_odt, read_odp, read_rtf, read_xlsx, read_ods,
    read_csv, read_notebook, read_latex, read_code, read_mail;

/* Whether the first bytes of a text, behind its byte order mark, show a
 * format. */
typedef bool is_format_fn(struct str head);
is_format_fn is_html, is_srt, is_notebook, is_latex, is_code, is_mail;

enum { FORMAT_EXTENSIONS_MAX = 64 };

struct file_format {
    const char *name;        /* "docx": for logs and tests */
    struct str media_type;   /* to serve it with; never what a client claims */
    enum document_kind kind; /* what such a file usually is */
    read_fn *read;           /* NULL: extract_run() refuses it */
    bool jailed; /* a library takes it apart: only a child in the jail reads it
                  */
    /* What tells it from others, in this order; each may be absent. */
    const char *zip_mark; /* an archive that has this near its start: a folder,
                             or the type that its first member tells */
    struct str magic;     /* a file that begins with these bytes */
    is_format_fn *is;     /* a text for which this is true */
    const char *extensions[FORMAT_EXTENSIONS_MAX]; /* a text or archive whose
                                                      name ends so */
};

static inline bool format_is_picture(enum extract_format f)
{
    return f >= FORMAT_PNG && f <= FORMAT_WEBP;
}

const struct file_format *format_of(enum extract_format f);

/* The kind of such a document; a text that has a date is a journal entry. */
enum document_kind format_kind(enum extract_format f, bool dated);

/* By the first bytes, then by the name (which may be absent).  A name cannot
 * make text of something else: a renamed program is FORMAT_UNKNOWN. */
enum extract_format format_detect(struct str head, struct str filename);
/* Why format_detect() says FORMAT_UNKNOWN: a sentence for the person who
 * brought the file.  Static. */
const char *format_unknown_reason(struct str head, struct str filename);

/* The media type of a recording, by its name; absent when no browser plays
 * it. */
struct str recording_media_type(struct str filename);

#endif
