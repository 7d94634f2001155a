/* passage.c - see passage.h. */
#include "import/passage.h"

#include "base/sha256.h"
#include "base/utf8.h"
#include "cite/marks.h"

enum { ID_HEX = 32 };

bool is_web(struct str url)
{
    return str_starts(url, STR("http://")) || str_starts(url, STR("https://"));
}

static struct str cut(struct import *im, const struct row *row,
                      const char *what, struct str text, size_t most)
{
    if (!text.p || text.n <= most)
        return text;
    import_note(im, IMPORT_CHANGED, row,
                "%s of a source has %zu bytes; the first %zu are kept", what,
                text.n, most);
    text.n = most;
    text.n = utf8_whole(text);
    return text;
}

static struct str id_or_none(struct str id)
{
    return id.n && id.n <= SOURCE_ID_BYTES_MAX ? id : STR_NONE;
}

/* The same words of the same place have the same id, whenever they come. */
static enum footnote_rc made_id(struct import *im, const struct passage *p,
                                struct str *out, struct footnote_err *err)
{
    struct str all =
        arena_printf(im->a, "%.*s\n%.*s\n%.*s\n%lld\n%.*s",
                     STR_ARG(p->document), STR_ARG(p->url), STR_ARG(p->title),
                     (long long)p->page, STR_ARG(p->text));
    char hex[SHA256_HEX + 1];
    struct sha256 digest;

    TRY(arena_rc(im->a, err));
    TRY(sha256(all, &digest, err));
    sha256_hex(&digest, hex);
    *out = arena_printf(im->a, "passage_%.*s", ID_HEX, hex);
    return arena_rc(im->a, err);
}

enum footnote_rc passage_found(struct import *im, const struct row *row,
                               const struct passage *p, struct found *out,
                               struct footnote_err *err)
{
    struct source *s = &out->ref.source;
    struct footnote_err why;

    *out = (struct found){.row = row};
    s->document = id_or_none(p->document);
    s->title = cut(im, row, "the title", p->title, SOURCE_LABEL_BYTES_MAX);
    s->preview = cut(im, row, "the text", p->text, SOURCE_TEXT_BYTES_MAX);
    s->id = id_or_none(p->id);
    if (!s->id.p)
        TRY(made_id(im, p, &s->id, err));
    if (is_web(p->url) && p->url.n <= SOURCE_LABEL_BYTES_MAX)
        s->url = p->url;
    s->type = s->url.p ? FOOTNOTE_WEB : FOOTNOTE_TEXT;
    s->has_page = p->has_page && p->page >= 1;
    s->page = s->has_page ? p->page : 0;
    if (s->has_page && s->document.p && !s->url.p)
        s->type = FOOTNOTE_SLIDE;
    out->ref.has_score = p->has_score;
    out->ref.score = p->score;
    out->same = s->id;
    if (source_check(s, &why) != FOOTNOTE_OK)
        return row_refuse(im, row, err, "%s", why.text);
    return FOOTNOTE_OK;
}

enum footnote_rc text_last_number(struct import *im, struct str text,
                                  uint32_t *out, struct footnote_err *err)
{
    struct mark *marks;
    size_t n;

    *out = 0;
    if (!text.n || !utf8_valid(text))
        return FOOTNOTE_OK; /* refused when it is saved */
    TRY(marks_find(im->a, text, &marks, &n, err));
    for (size_t i = 0; i < n; i++)
        if (!marks[i].page && marks[i].to > *out)
            *out = marks[i].to;
    return FOOTNOTE_OK;
}
