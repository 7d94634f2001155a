/* mail.c - saved mail: one message, or a mailbox of them.
 *
 * Of a message the sender, the date and the subject are read, and then its
 * text; of the same text in several forms the plainest.  A quoted line is read
 * once: where it was written, or where it is first quoted.  Attachments are
 * named. */
#include "ingest/format/html.h"
#include "ingest/format/text_part.h"
#include "ingest/mail/decode.h"
#include "ingest/text/lines.h"

#include "store/document/reason.h"
#include <stdio.h>

enum {
    NESTED_MAX = 12, /* parts inside of each other */
    PARTS_MAX = 20 * 1000,
    HEADER_BYTES_MAX = 16 * 1024,
    SEEN_SLOTS = 1 << 19, /* lines that are remembered, at most half of it */
    LINE_BYTES_MIN = 12   /* a shorter line is everybody's */
};

struct header {
    struct str from, to, date, subject; /* as they are written */
    struct str type, encoding, disposition;
};

struct mail {
    struct format_reader *r;
    struct clean clean;
    struct buf head, bytes, text, lines;
    uint64_t *seen; /* hashes of lines; 0: free */
    size_t seen_n, parts_n, attachments_n;
    bool many; /* a mailbox */
    bool encrypted, cut;
};

/* ---- Headers ------------------------------------------------------------ */

static struct str *field_of(struct header *h, struct str name)
{
    const struct {
        const char *name;
        struct str *value;
    } fields[] = {{"from", &h->from},
                  {"to", &h->to},
                  {"date", &h->date},
                  {"subject", &h->subject},
                  {"content-type", &h->type},
                  {"content-transfer-encoding", &h->encoding},
                  {"content-disposition", &h->disposition}};

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (lines_same(name, str_c(fields[i].name)))
            return fields[i].value;
    return NULL;
}

/* Moves *rest behind the headers and the empty line.  A value that goes on in
 * the next line is one view. */
static void read_headers(struct str *rest, struct header *h)
{
    struct str line, before = *rest, *open = NULL;

    *h = (struct header){.type = STR_NONE};
    for (; lines_next(rest, &line); before = *rest) {
        if (line.n == 0)
            return;
        if (line.p[0] == ' ' || line.p[0] == '\t') {
            if (open && open->n < HEADER_BYTES_MAX)
                open->n = (size_t)(line.p + line.n - open->p);
            continue;
        }
        size_t colon = str_find(line, ':');
        if (colon == line.n) { /* the text begins without an empty line */
            *rest = before;
            return;
        }
        struct str *field = field_of(h, (struct str){line.p, colon});
        open = field && !field->p ? field : NULL;
        if (open)
            *open = lines_trim(str_skip(line, colon + 1));
        if (open && !open->p)
            *open = STR("");
    }
}

static bool is_type(struct str type, const char *prefix)
{
    return lines_begins(type, str_c(prefix));
}

/* ---- What was read before ------------------------------------------------ */

/* Whether the line was remembered; it is from now on. */
static bool seen(struct mail *m, struct str line)
{
    uint64_t hash = str_hash(line) | 1;

    for (size_t i = hash; m->seen_n < SEEN_SLOTS / 2; i++) {
        uint64_t *slot = &m->seen[i & (SEEN_SLOTS - 1)];

        if (*slot == hash)
            return true;
        if (*slot == 0) {
            *slot = hash;
            m->seen_n++;
            return false;
        }
    }
    return false;
}

/* The line without the signs that quote it. */
static struct str unquoted(struct str line, bool *quoted)
{
    *quoted = false;
    line = lines_trim(line);
    while (line.n && line.p[0] == '>') {
        *quoted = true;
        line = lines_trim(str_skip(line, 1));
    }
    return line;
}

/* The text of m->text without what was quoted from above. */
static void drop_quotes(struct mail *m)
{
    struct str rest = buf_str(&m->text), line;
    bool dropping = false, quoted;

    buf_reset(&m->lines);
    while (lines_next(&rest, &line)) {
        struct str plain = unquoted(line, &quoted);
        bool known = plain.n >= LINE_BYTES_MIN && seen(m, plain);

        dropping = quoted && (known || (dropping && plain.n < LINE_BYTES_MIN));
        if (dropping)
            continue;
        buf_add(&m->lines, quoted ? plain : line);
        buf_add_c(&m->lines, '\n');
    }
}

/* ---- Parts -------------------------------------------------------------- */

static enum footnote_rc read_part(struct mail *m, const struct header *h,
                                  struct str body, int nested,
                                  struct footnote_err *err);
static enum footnote_rc read_message(struct mail *m, struct str bytes,
                                     int nested, struct footnote_err *err);

/* Decodes the body into m->text, as clean UTF-8. */
static enum footnote_rc decode_text(struct mail *m, const struct header *h,
                                    struct str body, struct footnote_err *err)
{
    buf_reset(&m->bytes);
    buf_reset(&m->text);
    mail_decode(&m->bytes, body, h->encoding);
    TRY(buf_rc(&m->bytes, err));
    charset_append(&m->text, &m->clean, buf_str(&m->bytes),
                   mail_parameter(h->type, "charset"));
    return buf_rc(&m->text, err);
}

static enum footnote_rc read_plain(struct mail *m, const struct header *h,
                                   struct str body, struct footnote_err *err)
{
    TRY(decode_text(m, h, body, err));
    drop_quotes(m);
    TRY(buf_rc(&m->lines, err));
    return text_part(m->r, buf_str(&m->lines), err);
}

static enum footnote_rc read_html_text(struct mail *m, const struct header *h,
                                       struct str body,
                                       struct footnote_err *err)
{
    TRY(decode_text(m, h, body, err));
    return m->text.n ? html_part(m->r, buf_str(&m->text), err) : FOOTNOTE_OK;
}

/* The next part between boundaries; false at the last one.  *ended: the last
 * boundary was there. */
static bool next_part(struct str *rest, struct str boundary, struct str *part,
                      bool *ended)
{
    struct str line, from = *rest;

    while (lines_next(rest, &line)) {
        if (!str_starts(line, STR("--")) ||
            !str_starts(str_skip(line, 2), boundary))
            continue;
        struct str tail = str_skip(line, 2 + boundary.n);
        *ended = str_starts(tail, STR("--"));
        if (!*ended && lines_trim(tail).n)
            continue; /* a longer boundary begins so */
        *part = (struct str){from.p, (size_t)(line.p - from.p)};
        return true;
    }
    *part = from;
    return false;
}

/* Which of several forms of the same text is read: the plain one. */
static int rank_of(const struct header *h)
{
    return is_type(h->type, "text/plain") || !h->type.n ? 3
           : is_type(h->type, "text/html")              ? 2
           : is_type(h->type, "multipart/")             ? 1
                                                        : 0;
}

static enum footnote_rc read_parts(struct mail *m, struct str body,
                                   struct str boundary, bool choose, int nested,
                                   struct footnote_err *err)
{
    struct str rest = body, part;
    struct header best = {.type = STR_NONE};
    struct str best_body = STR_NONE;
    bool ended = false;
    int best_rank = -1;

    (void)next_part(&rest, boundary, &part, &ended); /* the preamble */
    while (!ended && rest.n) {
        struct header h;
        bool whole = next_part(&rest, boundary, &part, &ended);

        m->cut |= !whole;
        if (++m->parts_n > PARTS_MAX)
            return refuse(err, TOO_MANY_PARTS,
                          "the mail has more than %d parts", PARTS_MAX);
        read_headers(&part, &h);
        if (!choose) {
            TRY(read_part(m, &h, part, nested + 1, err));
        } else if (rank_of(&h) > best_rank && lines_trim(part).n) {
            best = h;
            best_body = part;
            best_rank = rank_of(&h);
        }
        if (!whole)
            break;
    }
    m->cut |= !ended;
    return best_rank >= 0 ? read_part(m, &best, best_body, nested + 1, err)
                          : FOOTNOTE_OK;
}

static enum footnote_rc name_attachment(struct mail *m, const struct header *h,
                                        struct footnote_err *err)
{
    struct str name = mail_parameter(h->disposition, "filename");
    struct chunk_piece p = {.gap = GAP_LINE, .whole = true};

    m->attachments_n++;
    if (!name.n)
        name = mail_parameter(h->type, "name");
    if (!name.n)
        return FOOTNOTE_OK;
    buf_reset(&m->head);
    buf_add(&m->head, STR("Attachment: "));
    mail_words(&m->head, &m->clean, name);
    TRY(buf_rc(&m->head, err));
    p.text = buf_str(&m->head);
    return chunk_add(&m->r->chunker, &p, err);
}

static enum footnote_rc read_part(struct mail *m, const struct header *h,
                                  struct str body, int nested,
                                  struct footnote_err *err)
{
    struct str boundary = mail_parameter(h->type, "boundary");

    if (nested > NESTED_MAX)
        return refuse(err, HARMFUL,
                      "the mail has parts more than %d deep inside of each "
                      "other, as no mail program makes them",
                      NESTED_MAX);
    if (is_type(h->type, "multipart/encrypted") ||
        is_type(h->type, "application/pkcs7-mime") ||
        is_type(h->type, "application/x-pkcs7-mime")) {
        m->encrypted = true;
        return FOOTNOTE_OK;
    }
    if (is_type(h->type, "multipart/") && boundary.n)
        return read_parts(m, body, boundary,
                          is_type(h->type, "multipart/alternative"), nested,
                          err);
    if (is_type(h->type, "message/rfc822") && !is_type(h->encoding, "base64"))
        return read_message(m, body, nested + 1, err);
    if (is_type(h->disposition, "attachment"))
        return name_attachment(m, h, err);
    if (is_type(h->type, "text/html"))
        return read_html_text(m, h, body, err);
    if (!h->type.n || is_type(h->type, "text/plain") ||
        is_type(h->type, "multipart/") || !memchr(h->type.p, '/', h->type.n))
        return read_plain(m, h, body, err);
    return name_attachment(m, h, err);
}

/* ---- Messages ----------------------------------------------------------- */

static enum footnote_rc add_line(struct mail *m, const char *word,
                                 struct str value, enum chunk_gap gap,
                                 struct footnote_err *err)
{
    struct chunk_piece p = {.gap = gap, .whole = true};

    if (value.n == 0)
        return FOOTNOTE_OK;
    buf_reset(&m->head);
    mail_words(&m->head, &m->clean, value);
    TRY(buf_rc(&m->head, err));
    buf_reset(&m->lines);
    buf_add(&m->lines, str_c(word));
    buf_add(&m->lines, buf_str(&m->head));
    TRY(buf_rc(&m->lines, err));
    p.text = buf_str(&m->lines);
    return chunk_add(&m->r->chunker, &p, err);
}

static enum footnote_rc add_subject(struct mail *m, const struct header *h,
                                    int nested, struct footnote_err *err)
{
    struct extract_facts *facts = m->r->facts;
    char day[11];

    buf_reset(&m->head);
    mail_words(&m->head, &m->clean, h->subject);
    TRY(buf_rc(&m->head, err));
    struct str subject = lines_trim(buf_str(&m->head));
    if (!m->many && nested == 0) {
        if (subject.n)
            facts->title = arena_str(m->r->a, subject);
        if (mail_date(h->date, day))
            facts->date = arena_str(m->r->a, str_c(day));
    }
    if (!subject.n)
        subject = STR("—");
    return chunk_heading(&m->r->chunker, nested ? 2 : 1, subject, err);
}

static enum footnote_rc read_message(struct mail *m, struct str bytes,
                                     int nested, struct footnote_err *err)
{
    struct header h;

    read_headers(&bytes, &h);
    TRY(add_subject(m, &h, nested, err));
    TRY(add_line(m, "From: ", h.from, GAP_BLOCK, err));
    TRY(add_line(m, "To: ", h.to, GAP_LINE, err));
    TRY(add_line(m, "Date: ", h.date, GAP_LINE, err));
    TRY(add_line(m, "Subject: ", h.subject, GAP_LINE, err));
    TRY(read_part(m, &h, bytes, nested, err));
    return nested ? FOOTNOTE_OK : chunk_break(&m->r->chunker, err);
}

/* A line that begins a message, as "From a@b.c Mon Nov  2 10:00:00 2026". */
static bool begins_message(struct str line)
{
    struct str rest = line;
    size_t colons = 0;

    if (!str_starts(line, STR("From ")) || line.n > 200)
        return false;
    for (size_t i = 0; i < rest.n; i++)
        colons += rest.p[i] == ':';
    return colons >= 1;
}

/* The bytes up to the next message; moves *rest there. */
static struct str next_message(struct str *rest)
{
    struct str line, all = *rest, before = *rest;
    bool empty = false;

    while (lines_next(rest, &line)) {
        if (empty && begins_message(line)) {
            *rest = before;
            return (struct str){all.p, (size_t)(before.p - all.p)};
        }
        empty = line.n == 0;
        before = *rest;
    }
    return all;
}

static enum footnote_rc read_mailbox(struct mail *m, struct footnote_err *err)
{
    struct str rest = m->r->bytes, line;
    size_t all = rest.n;

    m->many = true;
    for (int64_t n = 1; rest.n; n++) {
        struct str one = next_message(&rest);

        lines_next(&one, &line); /* "From ..." */
        m->r->chunker.locator =
            arena_printf(m->r->a, "message %lld", (long long)n);
        TRY(arena_rc(m->r->a, err));
        m->encrypted = m->cut = false;
        TRY(read_message(m, one, 0, err));
        TRY(read_progress(m->r, all - rest.n, all, err));
    }
    return FOOTNOTE_OK;
}

static enum footnote_rc read_one(struct mail *m, struct footnote_err *err)
{
    TRY(read_message(m, m->r->bytes, 0, err));
    if (m->encrypted)
        return refuse(err, ENCRYPTED,
                      "the mail is encrypted: open it in your mail program and "
                      "save its text");
    if (m->cut)
        return refuse(err, DAMAGED,
                      "the mail ends in the middle: it is damaged");
    return FOOTNOTE_OK;
}

enum footnote_rc read_mail(struct format_reader *r, struct footnote_err *err)
{
    struct mail m = {.r = r,
                     .head = BUF((size_t)HEADER_BYTES_MAX * 4),
                     .bytes = BUF(EXTRACT_BYTES_MAX),
                     .text = BUF(EXTRACT_BYTES_MAX),
                     .lines = BUF(EXTRACT_BYTES_MAX),
                     .seen = arena_many(r->a, SEEN_SLOTS, uint64_t)};
    enum footnote_rc rc = arena_rc(r->a, err);

    if (rc == FOOTNOTE_OK)
        rc = str_starts(r->bytes, STR("From ")) ? read_mailbox(&m, err)
                                                : read_one(&m, err);
    buf_free(&m.head);
    buf_free(&m.bytes);
    buf_free(&m.text);
    buf_free(&m.lines);
    r->facts->hidden_text |= m.clean.hidden;
    if (m.attachments_n)
        snprintf(r->facts->warning, sizeof(r->facts->warning),
                 "%zu attachment%s not read; upload what you need by itself",
                 m.attachments_n, m.attachments_n == 1 ? " was" : "s were");
    return rc;
}
