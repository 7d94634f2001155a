/* fence.c - see fence.h. */
#include "chat/turn/fence.h"

#include "base/utf8.h"

enum char_kind {
    VISIBLE,
    BLANK,
    HIDDEN, /* no width: marks of direction, joiners, tags */
    LINE_END
};

static enum char_kind kind_of(uint32_t c)
{
    static const struct {
        uint32_t from, to;
        enum char_kind kind;
    } ranges[] = {{0x00, 0x09, BLANK},        {0x0a, 0x0d, LINE_END},
                  {0x0e, 0x1b, BLANK},        {0x1c, 0x1e, LINE_END},
                  {0x1f, 0x20, BLANK},        {0x7f, 0x84, BLANK},
                  {0x85, 0x85, LINE_END},     {0x86, 0xa0, BLANK},
                  {0xad, 0xad, HIDDEN},       {0x34f, 0x34f, HIDDEN},
                  {0x61c, 0x61c, HIDDEN},     {0x115f, 0x1160, HIDDEN},
                  {0x1680, 0x1680, BLANK},    {0x17b4, 0x17b5, HIDDEN},
                  {0x180b, 0x180f, HIDDEN},   {0x2000, 0x200a, BLANK},
                  {0x200b, 0x200f, HIDDEN},   {0x2028, 0x2029, LINE_END},
                  {0x202a, 0x202e, HIDDEN},   {0x202f, 0x202f, BLANK},
                  {0x205f, 0x205f, BLANK},    {0x2060, 0x206f, HIDDEN},
                  {0x2800, 0x2800, BLANK},    {0x3000, 0x3000, BLANK},
                  {0x3164, 0x3164, HIDDEN},   {0xfe00, 0xfe0f, HIDDEN},
                  {0xfeff, 0xfeff, HIDDEN},   {0xffa0, 0xffa0, HIDDEN},
                  {0xfff0, 0xfffb, HIDDEN},   {0x1bca0, 0x1bca3, HIDDEN},
                  {0x1d173, 0x1d17a, HIDDEN}, {0xe0000, 0xe0fff, HIDDEN}};

    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (c <= ranges[i].to)
            return c >= ranges[i].from ? ranges[i].kind : VISIBLE;
    return VISIBLE;
}

void fence_add_label(struct buf *b, struct str label)
{
    if (label.n > FENCE_LABEL_BYTES_MAX)
        label.n = utf8_whole((struct str){label.p, FENCE_LABEL_BYTES_MAX});
    for (size_t i = 0; i < label.n;) {
        size_t at = i;
        uint32_t c = utf8_next(label, &i);
        enum char_kind kind = kind_of(c);

        if (kind == HIDDEN)
            continue;
        if (kind != VISIBLE)
            buf_add_c(b, ' ');
        else if (c == '"')
            buf_add_c(b, '\'');
        else if (c == '<' || c == '>')
            buf_add(b, c == '<' ? STR("‹") : STR("›"));
        else
            buf_add(b, (struct str){label.p + at, i - at});
    }
}

/* Only what begins a line can look like a fence, so that code such as
 * kernel<<<blocks, threads>>>(x) stays as it is. */
void fence_add_text(struct buf *b, struct str text)
{
    bool at_start = true; /* nothing visible stands on the line yet */
    size_t done = 0;

    for (size_t i = 0; i < text.n;) {
        size_t at = i;
        enum char_kind kind = kind_of(utf8_next(text, &i));

        if (at_start && str_starts(str_skip(text, at), STR("<<<"))) {
            buf_add(b, (struct str){text.p + done, at - done});
            for (done = at; done < text.n && text.p[done] == '<'; done++)
                buf_add(b, STR("‹"));
            i = done;
        }
        at_start = kind == LINE_END || (at_start && kind != VISIBLE);
    }
    buf_add(b, str_skip(text, done));
}
