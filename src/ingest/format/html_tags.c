/* html_tags.c - tags as a table, and the ways to hide an element. */
#include "ingest/format/html_tags.h"
#include "ingest/text/lines.h"

static const struct {
    const char *name;
    enum html_role role;
} tags[] = {
    {"address", ROLE_BLOCK},    {"article", ROLE_BLOCK},
    {"aside", ROLE_AROUND},     {"audio", ROLE_UNSEEN},
    {"blockquote", ROLE_BLOCK}, {"body", ROLE_BLOCK},
    {"br", ROLE_BREAK},         {"button", ROLE_AROUND},
    {"canvas", ROLE_UNSEEN},    {"caption", ROLE_BLOCK},
    {"dd", ROLE_BLOCK},         {"details", ROLE_BLOCK},
    {"dialog", ROLE_AROUND},    {"div", ROLE_BLOCK},
    {"dl", ROLE_BLOCK},         {"dt", ROLE_BLOCK},
    {"figcaption", ROLE_BLOCK}, {"figure", ROLE_BLOCK},
    {"footer", ROLE_AROUND},    {"form", ROLE_BLOCK},
    {"h1", ROLE_HEADING},       {"h2", ROLE_HEADING},
    {"h3", ROLE_HEADING},       {"h4", ROLE_HEADING},
    {"h5", ROLE_HEADING},       {"h6", ROLE_HEADING},
    {"header", ROLE_BLOCK},     {"hr", ROLE_BLOCK},
    {"iframe", ROLE_UNSEEN},    {"li", ROLE_ITEM},
    {"main", ROLE_BLOCK},       {"math", ROLE_INLINE},
    {"menu", ROLE_AROUND},      {"nav", ROLE_AROUND},
    {"noscript", ROLE_UNSEEN},  {"object", ROLE_UNSEEN},
    {"ol", ROLE_BLOCK},         {"p", ROLE_BLOCK},
    {"pre", ROLE_CODE},         {"script", ROLE_UNSEEN},
    {"section", ROLE_BLOCK},    {"select", ROLE_AROUND},
    {"style", ROLE_UNSEEN},     {"summary", ROLE_BLOCK},
    {"svg", ROLE_UNSEEN},       {"table", ROLE_BLOCK},
    {"td", ROLE_CELL},          {"template", ROLE_UNSEEN},
    {"textarea", ROLE_UNSEEN},  {"th", ROLE_CELL},
    {"title", ROLE_TITLE},      {"tr", ROLE_ROW},
    {"ul", ROLE_BLOCK},         {"video", ROLE_UNSEEN},
};

enum html_role html_role(const char *name)
{
    for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
        if (strcmp(tags[i].name, name) == 0)
            return tags[i].role;
    }
    return ROLE_INLINE;
}

struct str html_attribute(const unsigned char **all, const char *name)
{
    for (; all && all[0]; all += 2) {
        if (strcmp((const char *)all[0], name) == 0)
            return all[1] ? str_c((const char *)all[1]) : STR("");
    }
    return STR_NONE;
}

/* Whether a style has exactly "name: value", but for spaces. */
static bool has_style(struct str style, struct str name, struct str value)
{
    while (style.n) {
        size_t n = str_find(style, ';'), colon;
        struct str one = {style.p, n};

        style = str_skip(style, n < style.n ? n + 1 : n);
        colon = str_find(one, ':');
        if (colon == one.n ||
            !lines_same(lines_trim((struct str){one.p, colon}), name))
            continue;
        one = lines_trim(str_skip(one, colon + 1));
        one.n = str_find(one, '!');
        if (lines_same(lines_trim(one), value))
            return true;
    }
    return false;
}

bool html_is_hidden(const unsigned char **attributes, bool *trick)
{
    struct str style = html_attribute(attributes, "style");

    if (html_attribute(attributes, "hidden").p ||
        str_eq(html_attribute(attributes, "aria-hidden"), STR("true")) ||
        has_style(style, STR("display"), STR("none")) ||
        has_style(style, STR("visibility"), STR("hidden")))
        return true;
    /* Pages fold menus in the ways above.  The ways below are tricks. */
    if (!has_style(style, STR("font-size"), STR("0")) &&
        !has_style(style, STR("font-size"), STR("0px")) &&
        !has_style(style, STR("opacity"), STR("0")))
        return false;
    *trick = true;
    return true;
}

bool html_is_around(enum html_role role, const unsigned char **attributes)
{
    static const char *const roles[] = {"navigation", "banner", "contentinfo",
                                        "search", "complementary"};
    struct str says = html_attribute(attributes, "role");

    for (size_t i = 0; says.p && i < sizeof(roles) / sizeof(roles[0]); i++) {
        if (str_eq(says, str_c(roles[i])))
            return true;
    }
    return role == ROLE_AROUND;
}
