/* kept_said.c - what was said of a kept answer: its verdicts, and its reader's
 * feedback. */
#include "base/json.h"
#include "export/kept_parts.h"
#include "http/shape/names.h"
#include "store/session/feedback.h"
#include "store/session/whole.h"
#include "store/source/verdicts.h"

static bool hex_digit(char c, unsigned *out)
{
    if (c >= '0' && c <= '9')
        *out = (unsigned)(c - '0');
    else if (c >= 'a' && c <= 'f')
        *out = (unsigned)(c - 'a') + 10;
    else
        return false;
    return true;
}

bool kept_digest_parse(struct str text, struct sha256 *out)
{
    const struct str begin = STR("sha256:");
    unsigned high, low;

    if (!str_starts(text, begin) || text.n != begin.n + SHA256_HEX)
        return false;
    text = str_skip(text, begin.n);
    for (size_t i = 0; i < SHA256_BYTES; i++) {
        if (!hex_digit(text.p[2 * i], &high) ||
            !hex_digit(text.p[2 * i + 1], &low))
            return false;
        out->b[i] = (unsigned char)(high << 4 | low);
    }
    return true;
}

struct verdict_in {
    struct verdict_record r;
    struct str digest;
    const struct json *sentences;
    bool has_time;
};
#define AT(member) offsetof(struct verdict_in, member)
// clang-format off
static const struct field verdict_fields[] = {
    {NAME("judge"), FIELD_TEXT, AT(r.judge), 0, STORE_ID_BYTES_MAX, 0},
    {NAME("createdAt"), FIELD_TIME, AT(r.created_ms), AT(has_time), 0, 0},
    {NAME("digest"), FIELD_TEXT, AT(digest), 0, 0, 0},
    {NAME("sentences"), FIELD_ANY, AT(sentences), 0, 0, 0},
};
// clang-format on
#undef AT

static bool read_verdict(struct intake *in, const struct json_place *at,
                         const struct json *o, struct verdict_record *out)
{
    struct json_place here = {.up = at};
    struct verdict_in s = {.sentences = NULL};

    if (!intake_object(in, at, o, verdict_fields, COUNT(verdict_fields), &s))
        return false;
    here.key = STR("createdAt");
    if (!s.has_time)
        return kept_refuse(in, &here, "createdAt is missing");
    here.key = STR("digest");
    s.r.has_digest = s.digest.p != NULL;
    if (s.digest.p && !kept_digest_parse(s.digest, &s.r.digest))
        return kept_refuse(in, &here, "digest is none");
    here.key = STR("sentences");
    if (!s.sentences || s.sentences->type != JSON_ARRAY)
        return kept_refuse(in, &here, "A list is wanted here");
    s.r.packed = s.sentences->raw;
    *out = s.r;
    return true;
}

bool kept_read_verdicts(struct intake *in, const struct json_place *up,
                        const struct json *list, struct message *out)
{
    struct json_place at = {.up = up, .key = STR("verdicts")};
    struct verdict_record *records;

    if (!kept_check_list(in, &at, list, WHOLE_VERDICTS_MAX))
        return false;
    if (!list)
        return true;
    records = arena_many(in->a, (size_t)list->n + 1, struct verdict_record);
    if (!records)
        return kept_no_memory(in);
    out->verdicts = records;
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = &at, .index = out->verdicts_n};

        if (!read_verdict(in, &here, v, &records[out->verdicts_n++]))
            return false;
    }
    return true;
}

struct feedback_in {
    int64_t number;
    struct str rating, note;
    int64_t at_ms;
};

static bool read_one_feedback(struct intake *in, const struct json_place *at,
                              const struct json *v, struct feedback *out)
{
    // clang-format off
    static const struct field fields[] = {
        {NAME("number"), FIELD_WHOLE, offsetof(struct feedback_in, number), 0,
         0, 0},
        {NAME("rating"), FIELD_TEXT, offsetof(struct feedback_in, rating), 0,
         0, 0},
        {NAME("note"), FIELD_TEXT, offsetof(struct feedback_in, note), 0,
         FEEDBACK_NOTE_BYTES_MAX, 0},
        {NAME("createdAt"), FIELD_TIME, offsetof(struct feedback_in, at_ms), 0,
         0, 0},
    };
    // clang-format on
    struct feedback_in f = {.number = 0};

    if (!intake_object(in, at, v, fields, COUNT(fields), &f))
        return false;
    if (f.number < 0 || f.number > STORE_NUMBER_MAX ||
        !feedback_parse(f.rating, &out->rating))
        return kept_refuse(in, at, "this is no feedback");
    out->number = (uint32_t)f.number;
    out->note = f.note;
    out->at_ms = f.at_ms;
    return true;
}

bool kept_read_feedback(struct intake *in, const struct json_place *up,
                        const struct json *list, struct message *out)
{
    struct json_place at = {.up = up, .key = STR("feedback")};
    struct feedback *items;

    if (!list)
        return true;
    if (!kept_check_list(in, &at, list, FEEDBACK_MAX))
        return false;
    items = arena_many(in->a, list->n + 1, struct feedback);
    if (!items)
        return kept_no_memory(in);
    for (const struct json *v = list->first; v; v = v->next) {
        struct json_place here = {.up = &at, .index = out->feedback_n};

        if (!read_one_feedback(in, &here, v, &items[out->feedback_n++]))
            return false;
    }
    out->feedback = items;
    return true;
}
