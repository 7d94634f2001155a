/* upload_kind.c - what a document is: its kind, its types, its labels.
 *
 * Types are ours: by the bytes first, never by what a client claims, because
 * what is stored here is served again. */
#include <strings.h>

#include "base/utf8.h"
#include "http/names.h"
#include "http/upload.h"

static bool impossible(struct request *r, struct str where, const char *why)
{
    reply_problem(r, &(struct problem){.status = 422,
                                       .code = STR("impossible"),
                                       .text = str_c(why),
                                       .where = where});
    return false;
}

static bool unsupported(struct request *r, struct str where, const char *why)
{
    reply_problem(r, &(struct problem){.status = 415,
                                       .code = STR("unsupported_type"),
                                       .text = str_c(why),
                                       .where = where});
    return false;
}

/* ---- Types -------------------------------------------------------------- */

static struct str type_of(enum extract_format f)
{
    switch (f) {
    case FORMAT_TEXT: return STR("text/plain; charset=utf-8");
    case FORMAT_MARKDOWN: return STR("text/markdown; charset=utf-8");
    case FORMAT_HTML: return STR("text/html");
    case FORMAT_VTT: return STR("text/vtt");
    case FORMAT_SRT: return STR("application/x-subrip");
    case FORMAT_DOCX:
        return STR("application/vnd.openxmlformats-officedocument."
                   "wordprocessingml.document");
    case FORMAT_PPTX:
        return STR("application/vnd.openxmlformats-officedocument."
                   "presentationml.presentation");
    case FORMAT_PDF: return STR("application/pdf");
    case FORMAT_MEDIA:
    case FORMAT_UNKNOWN: break;
    }
    return STR("application/octet-stream");
}

struct str upload_media_type(struct str filename)
{
    static const char *const types[][2] = {
        {".mp4", "video/mp4"},   {".m4v", "video/mp4"},
        {".webm", "video/webm"}, {".mov", "video/quicktime"},
        {".ogv", "video/ogg"},   {".mp3", "audio/mpeg"},
        {".m4a", "audio/mp4"},   {".ogg", "audio/ogg"},
        {".oga", "audio/ogg"},   {".opus", "audio/ogg"},
        {".wav", "audio/wav"},   {".flac", "audio/flac"}};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        size_t n = strlen(types[i][0]);

        if (filename.n > n &&
            strncasecmp(filename.p + filename.n - n, types[i][0], n) == 0)
            return str_c(types[i][1]);
    }
    return STR_NONE;
}

/* ---- Labels ------------------------------------------------------------- */

static int64_t digits(struct str s, size_t at, size_t n)
{
    int64_t v = 0;

    for (size_t i = at; i < at + n; i++) {
        if (s.p[i] < '0' || s.p[i] > '9')
            return -1;
        v = v * 10 + (s.p[i] - '0');
    }
    return v;
}

bool upload_is_date(struct str s)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t year, month, day;
    bool leap;

    if (s.n != 10 || s.p[4] != '-' || s.p[7] != '-')
        return false;
    year = digits(s, 0, 4);
    month = digits(s, 5, 2);
    day = digits(s, 8, 2);
    leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return year > 0 && month >= 1 && month <= 12 && day >= 1 &&
           day <= days[month - 1] + (month == 2 && leap);
}

bool upload_is_url(struct str s)
{
    struct str rest;
    size_t end = 0;

    if (str_starts(s, STR("https://")))
        rest = str_skip(s, 8);
    else if (str_starts(s, STR("http://")))
        rest = str_skip(s, 7);
    else
        return false;
    for (size_t i = 0; i < s.n; i++)
        if ((unsigned char)s.p[i] <= 0x20 || s.p[i] == 0x7f ||
            strchr("\"<>\\^`{|}", s.p[i]))
            return false;
    while (end < rest.n && !strchr("/?#", rest.p[end]))
        end++;
    return end > 0 && *rest.p != ':' && s.n <= SOURCE_LABEL_BYTES_MAX &&
           str_find((struct str){rest.p, end}, '@') == end;
}

static bool check_texts(struct request *r, const struct upload_fields *f)
{
    const struct {
        struct str text, where;
    } texts[] = {{f->id, STR("/id")},
                 {f->title, STR("/title")},
                 {f->kind, STR("/kind")},
                 {f->date, STR("/date")},
                 {f->media, STR("/media")}};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        if (texts[i].text.p &&
            (!utf8_valid(texts[i].text) ||
             str_find(texts[i].text, '\0') != texts[i].text.n)) {
            reply_invalid(r, texts[i].where, "%s is not UTF-8 text",
                          texts[i].where.p + 1);
            return false;
        }
    return true;
}

static bool check_labels(struct request *r, const struct upload_fields *f)
{
    if (!check_texts(r, f))
        return false;
    if (f->date.p && !upload_is_date(f->date)) {
        reply_invalid(r, STR("/date"), "date is a day as 2026-02-26");
        return false;
    }
    if (f->media.p && !upload_is_url(f->media)) {
        reply_invalid(r, STR("/media"),
                      "media is a file or an http or https address");
        return false;
    }
    return true;
}

/* ---- Kinds -------------------------------------------------------------- */

static bool has_pages(enum extract_format f)
{
    return f == FORMAT_PDF || f == FORMAT_PPTX;
}

static bool has_cues(enum extract_format f)
{
    return f == FORMAT_VTT || f == FORMAT_SRT;
}

static enum document_kind usual_kind(enum extract_format f, bool dated)
{
    if (has_pages(f))
        return DOCUMENT_SLIDES;
    if (has_cues(f))
        return DOCUMENT_LECTURE;
    return dated ? DOCUMENT_JOURNAL : DOCUMENT_TEXT;
}

static bool choose_kind(struct request *r, struct upload *u,
                        enum extract_format f)
{
    enum document_kind *kind = &u->op.document.kind;

    *kind = u->replaces ? u->was.kind : usual_kind(f, u->fields.date.p != NULL);
    if (!u->fields.kind.p)
        return true;
    if (!document_kind_parse(u->fields.kind, kind)) {
        reply_invalid(r, STR("/kind"),
                      "kind is slides, lecture, journal, page or text");
        return false;
    }
    if (u->replaces && *kind != u->was.kind)
        return impossible(r, STR("/kind"), "A document keeps its kind");
    return true;
}

static bool check_kind(struct request *r, const struct upload *u,
                       enum extract_format f)
{
    const struct document *d = &u->op.document;
    bool dated = d->date.p || u->replaces, titled = d->title.n || u->replaces;

    if (d->kind == DOCUMENT_SLIDES && !has_pages(f))
        return impossible(r, STR("/kind"), "Slides are a PDF or a PPTX file");
    if (d->kind == DOCUMENT_LECTURE && !has_cues(f))
        return impossible(r, STR("/kind"),
                          "A lecture is a transcript: a VTT or an SRT file");
    if (d->kind == DOCUMENT_PAGE && !u->replaces)
        return impossible(r, STR("/kind"), "A page is brought by its address");
    if (d->kind == DOCUMENT_JOURNAL && (!dated || !titled)) {
        reply_invalid(r, dated ? STR("/title") : STR("/date"),
                      "A journal entry has a date and a title");
        return false;
    }
    if (d->kind != DOCUMENT_LECTURE && (u->media.filename.p || d->media.url.p))
        return impossible(r, STR("/media"), "Only a lecture has a recording");
    return true;
}

static bool describe_media(struct request *r, struct upload *u)
{
    struct document_media *m = &u->op.document.media;
    struct str head = {u->media.head, u->media.head_n};

    m->url = u->fields.media;
    if (!u->media.filename.p)
        return true;
    m->filename = u->media.filename;
    m->media_type = upload_media_type(m->filename);
    if (m->media_type.p && extract_detect(head, m->filename) == FORMAT_MEDIA)
        return true;
    return unsupported(r, STR("/media"),
                       "This is no recording that a browser can play");
}

bool upload_describe(struct request *r, struct upload *u)
{
    struct document *d = &u->op.document;
    struct str head = {u->file.head, u->file.head_n};
    enum extract_format f = extract_detect(head, u->file.filename);

    if (!check_labels(r, &u->fields))
        return false;
    if (head.n == 0)
        return impossible(r, STR("/file"), "The file is empty");
    if (f == FORMAT_UNKNOWN)
        return unsupported(r, STR("/file"),
                           extract_unknown_reason(head, u->file.filename));
    if (f == FORMAT_MEDIA)
        return impossible(r, STR("/file"),
                          "A recording needs its transcript: send that as "
                          "file, and the recording as media");
    if (!u->replaces)
        d->id = u->fields.id;
    d->title = u->fields.title;
    d->date = u->fields.date;
    d->filename = u->file.filename;
    d->media_type = type_of(f);
    return describe_media(r, u) && choose_kind(r, u, f) && check_kind(r, u, f);
}
