/* digest.c - the SHA-256 that proves a message came back as it was.
 *
 * Canonical forms are published in docs/schema.md; changing one breaks every
 * stored digest, so a new form gets a new first line. */
#include <assert.h>

#include "base/number.h"
#include "store/session/message.h"
#include "store/source/digest.h"
#include "store/source/reference.h"

static void add_number(struct sha256_ctx *c, int64_t v)
{
    char text[NUMBER_BYTES];

    sha256_add(c, (struct str){text, number_print_i64(v, text)});
}

/* "name=BYTES:" is hashed in one go: a history has hundreds of these, and each
 * call has its price. */
static void add_text(struct sha256_ctx *c, struct str name, struct str s)
{
    char head[2 * NUMBER_BYTES];
    size_t n = name.n;

    if (!s.p)
        return;
    assert(n < NUMBER_BYTES - 2);
    memcpy(head, name.p, n);
    head[n++] = '=';
    n += number_print_i64((int64_t)s.n, head + n);
    head[n++] = ':';
    sha256_add(c, (struct str){head, n});
    sha256_add(c, s);
    sha256_add(c, STR("\n"));
}

static struct str role_word(enum footnote_role role)
{
    return role == FOOTNOTE_USER        ? STR("user")
           : role == FOOTNOTE_ASSISTANT ? STR("assistant")
                                        : STR("system");
}

struct digest_line digest_line(uint32_t number, const struct sha256 *source,
                               bool has_score, double score)
{
    _Static_assert(sizeof(struct digest_line) == SHA256_BYTES + 16, "gaps");
    return (struct digest_line){*source, has_score ? score : 0, number,
                                has_score};
}

/* Hashed in one go too. */
static void add_line(struct sha256_ctx *c, const struct digest_line *l)
{
    char line[SHA256_HEX + 2 * NUMBER_BYTES + 16] = "source=";
    size_t n = STR("source=").n;

    n += number_print_i64(l->number, line + n);
    line[n++] = ':';
    sha256_hex(&l->source, line + n);
    n += SHA256_HEX;
    if (l->has_score) {
        line[n++] = ':';
        n += number_print(l->score, line + n);
    }
    line[n++] = '\n';
    assert(n <= sizeof(line));
    sha256_add(c, (struct str){line, n});
}

void message_digest(struct sha256_ctx *c, enum footnote_role role,
                    struct str content, struct sha256 *out,
                    const struct digest_line *lines, size_t n)
{
    sha256_begin(c);
    sha256_add(c, STR("footnote-message-1\n"));
    add_text(c, STR("role"), role_word(role));
    add_text(c, STR("content"), content);
    for (size_t i = 0; i < n; i++)
        add_line(c, &lines[i]);
    sha256_end(c, out);
}

static struct digest_line line_of(const struct new_reference *r,
                                  uint32_t number)
{
    return digest_line(number, &r->digest, r->has_score, r->score);
}

enum footnote_rc new_references_digest(struct tx *tx, struct sha256_ctx *c,
                                       enum footnote_role role,
                                       struct str content,
                                       const struct new_references *list,
                                       struct sha256 *out,
                                       struct footnote_err *err)
{
    struct digest_line *lines =
        arena_many(tx->scratch, list->n + 1, struct digest_line);

    if (!lines)
        return arena_rc(tx->scratch, err);
    for (size_t i = 0; i < list->n; i++)
        lines[i] = line_of(&list->items[i], list->items[i].number);
    message_digest(c, role, content, out, lines, list->n);
    return FOOTNOTE_OK;
}

static void add_texts(struct sha256_ctx *c, struct str name,
                      const struct str *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        add_text(c, name, s[i]);
}

void request_digest(struct sha256_ctx *c, const struct message *m,
                    const struct new_references *refs, struct sha256 *out)
{
    sha256_begin(c);
    sha256_add(c, STR("footnote-request-1\n"));
    add_text(c, STR("session"), m->session);
    add_text(c, STR("role"), role_word(m->role));
    add_text(c, STR("content"), m->content);
    add_texts(c, STR("docRef"), m->doc_refs, m->doc_refs_n);
    add_texts(c, STR("rag"), m->rag_source_ids, m->rag_source_ids_n);
    add_texts(c, STR("web"), m->web_source_ids, m->web_source_ids_n);
    add_text(c, STR("s3key"), m->image_s3key);
    add_text(c, STR("slide"), m->image_slide);
    add_number(c, m->has_image_page ? m->image_page : -1);
    add_number(c, m->has_low_confidence ? 1 + m->low_confidence : 0);
    add_number(c, m->status);
    for (size_t i = 0; i < refs->n; i++) {
        struct digest_line line =
            line_of(&refs->items[i], refs->items[i].ref->number);

        add_line(c, &line);
    }
    sha256_end(c, out);
}
