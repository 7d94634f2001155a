/* sample_messages.c - messages whose every byte follows from their id. */
#include "sample_messages.h"
#include "test.h"
#include <string.h>

static unsigned mix(unsigned round, unsigned thread, unsigned n)
{
    unsigned h = round * 2654435761u ^ thread * 40503u ^ n * 2246822519u;

    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

/* Words after the id.  No part of SAMPLE_PART_BYTES ends with a space, which
 * the end of an answer would trim away. */
static void fill_text(struct sample *s, unsigned h, size_t bytes)
{
    static const char words[] = "alpha beta [1] gamma [2] delta epsilon [3] ";
    size_t n = (size_t)snprintf(s->text, sizeof(s->text), "%s ", s->id);

    for (size_t i = h % 40; n < bytes; i++)
        s->text[n++] = words[i % (sizeof(words) - 1)];
    for (size_t i = SAMPLE_PART_BYTES; i <= n; i += SAMPLE_PART_BYTES)
        s->text[i - 1] = '.';
    s->text[n - 1] = '.';
    s->text[n] = '\0';
}

/* Every second source is one of a few that many messages share. */
static void fill_source(struct sample *s, unsigned i, unsigned h)
{
    char id[sizeof(s->texts[i].id)];

    if (i % 2)
        snprintf(id, sizeof(id), "shared-%u-%u", i, h % 7);
    else
        snprintf(id, sizeof(id), "own-%s-%u", s->id, i);
    snprintf(s->texts[i].id, sizeof(s->texts[i].id), "%s", id);
    snprintf(s->texts[i].title, sizeof(s->texts[i].title), "Title of %s", id);
    snprintf(s->texts[i].preview, sizeof(s->texts[i].preview),
             "What %s says: \xf0\x9f\x93\x9a gamma delta, and so on.", id);
    s->sources[i] = (struct footnote_source){.type = FOOTNOTE_TEXT,
                                             .number = i + 1,
                                             .id = s->texts[i].id,
                                             .title = s->texts[i].title,
                                             .preview = s->texts[i].preview,
                                             .has_score = true,
                                             .score = 1.0 / (i + 3)};
}

void sample_make(struct sample *s, enum sample_kind kind, unsigned round,
                 unsigned thread, unsigned n)
{
    unsigned h = mix(round, thread, n);

    snprintf(s->session, sizeof(s->session), "s%u-%u", round, thread);
    snprintf(s->id, sizeof(s->id), "%c-%u-%u-%u", (int)kind, round, thread, n);
    s->message = (struct footnote_message){.id = s->id,
                                           .session = s->session,
                                           .text = s->text,
                                           .role = FOOTNOTE_ASSISTANT,
                                           .sources = s->sources};
    switch (kind) {
    case SAMPLE_MESSAGE:
        s->message.sources_n = 1 + h % 6;
        fill_text(s, h, 80 + h % 800);
        memcpy(s->text + strlen(s->text) - 4, "\xf0\x9f\x93\x9a", 4);
        break;
    case SAMPLE_QUESTION:
        s->message.role = FOOTNOTE_USER;
        fill_text(s, h, 60);
        break;
    case SAMPLE_ANSWER:
        s->message.sources_n = 5;
        fill_text(s, h, SAMPLE_PARTS * (size_t)SAMPLE_PART_BYTES);
        break;
    }
    for (unsigned i = 0; i < s->message.sources_n; i++)
        fill_source(s, i, h);
}

static bool same(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static const char *source_wrong(const struct footnote_source *got,
                                const struct footnote_source *want)
{
    if (got->number != want->number)
        return "a source has another number";
    if (!same(got->id, want->id))
        return "a source has another id";
    if (got->type != want->type || !same(got->title, want->title) ||
        !same(got->preview, want->preview))
        return "a source has other content";
    if (!got->has_score || got->score < want->score || got->score > want->score)
        return "a source has another score";
    return NULL;
}

static const char *compare(const struct footnote_message *got,
                           const struct footnote_message *want)
{
    bool part = got->status != FOOTNOTE_COMPLETE &&
                want->id[0] == SAMPLE_ANSWER && got->text;
    size_t text_n = part ? strlen(got->text) : 0;

    if (got->role != want->role)
        return "another role";
    if (part ? text_n > strlen(want->text) ||
                   memcmp(got->text, want->text, text_n) != 0
             : !same(got->text, want->text))
        return "another text";
    if (part ? got->sources_n > want->sources_n
             : got->sources_n != want->sources_n)
        return "another number of sources";
    for (size_t i = 0; i < got->sources_n; i++) {
        const char *wrong = source_wrong(&got->sources[i], &want->sources[i]);
        if (wrong)
            return wrong;
    }
    return NULL;
}

/* The sample with the id of `got`, if there is one. */
static bool find(const struct footnote_message *got, struct sample *out)
{
    unsigned round, thread, n;
    char kind;

    /* NOLINTNEXTLINE(cert-err34-c): what is read is compared below */
    if (sscanf(got->id, "%c-%u-%u-%u", &kind, &round, &thread, &n) != 4 ||
        !strchr("mqa", kind))
        return false;
    sample_make(out, (enum sample_kind)kind, round, thread, n);
    return same(got->id, out->id) && same(got->session, out->session);
}

bool sample_is_known(const struct footnote_message *got)
{
    struct sample s;

    return find(got, &s);
}

const char *sample_wrong(const struct footnote_message *got)
{
    struct sample want;

    if (!find(got, &want))
        return "an id or a session that nobody saved";
    return compare(got, &want.message);
}
