/* chatgpt_test.c - conversations.json of ChatGPT. */
#include <stdlib.h>
#include <string.h>

#include "importing.h"

enum { CHATS = 210 };
#define BEGAN_S 1741759239LL
#define CITE                                                                   \
    "\xee\x88\x80"                                                             \
    "cite\xee\x88\x82"
#define END "\xee\x88\x81"

static struct footnote_err err;

/* ---- As it exports ------------------------------------------------------- */

static void node(FILE *f, int c, const char *id, const char *above,
                 const char *role, const char *more, double second,
                 const char *type, const char *text)
{
    fprintf(f,
            ",\"%s%d\":{\"id\":\"%s%d\",\"parent\":\"%s%d\",\"children\":[],"
            "\"message\":{\"id\":\"%s%d\",\"author\":{\"role\":\"%s\"},%s"
            "\"create_time\":%.3f,\"content\":{\"content_type\":\"%s\","
            "\"parts\":[\"%s\"]}",
            id, c, id, c, above, c, id, c, role, more,
            (double)(BEGAN_S + c * 60) + second, type, text);
}

static void add_answer(FILE *f, int c)
{
    node(f, c, "a", "tool", "assistant",
         "\"recipient\":\"all\",\"channel\":"
         "\"final\",",
         3.25, "text",
         "It fell " CITE "turn0search1" END ", and rose " CITE
         "turn0search0\xee\x88\x82turn0search1" END ". \xee\x88\x80"
         "nav\xee\x88\x82x" END "End.");
    fprintf(f,
            ",\"metadata\":{\"citations\":[],\"content_references\":["
            "{\"matched_text\":\"" CITE "turn0search1" END "\",\"type\":"
            "\"grouped_webpages\",\"items\":[{\"title\":\"Falls\",\"url\":"
            "\"https://a.example/%d\",\"snippet\":\"It fell by %d.\","
            "\"supporting_websites\":[{\"title\":\"Copy\",\"url\":"
            "\"https://copy.example/%d\"}]}]},"
            "{\"matched_text\":\"" CITE
            "turn0search0\xee\x88\x82turn0search1" END
            "\",\"type\":\"grouped_webpages\",\"items\":[{\"title\":"
            "\"Rises\",\"url\":\"https://b.example/%d\"},{\"title\":\"Falls\","
            "\"url\":\"https://a.example/%d\"}]},"
            "{\"matched_text\":\"\xee\x88\x80nav\xee\x88\x82x" END
            "\",\"type\":\"hidden\",\"items\":[]},"
            "{\"matched_text\":\" \",\"type\":\"sources_footnote\",\"sources\":"
            "[{\"title\":\"Read\",\"url\":\"https://c.example/%d\"}]}]}}}",
            c, c, c, c, c, c);
}

/* The older form: where in the text, counted in characters. */
static void add_older(FILE *f, int c)
{
    node(f, c, "old", "next", "assistant", "", 5.5, "text",
         "\\u00dcber \\ud83d\\udcda Seite\\u30104\\u2020source\\u3011. Ende");
    fprintf(f,
            ",\"metadata\":{\"citations\":[{\"start_ix\":12,\"end_ix\":22,"
            "\"citation_format_type\":\"tether_og\",\"metadata\":{\"type\":"
            "\"file\",\"name\":\"notes.pdf\",\"id\":\"file-%d\",\"text\":"
            "\"Seite %d\"}},{\"start_ix\":0,\"end_ix\":3,\"metadata\":"
            "{\"type\":\"webpage\",\"title\":\"Else\",\"url\":"
            "\"https://d.example/\"}}]}}}",
            c, c);
}

static void add_chat(FILE *f, int c)
{
    fprintf(f,
            "%s{\"title\":\"Chat %d\",\"create_time\":%lld.5,\"update_time\":"
            "%lld.25,\"mapping\":{\"root%d\":{\"id\":\"root%d\",\"message\":"
            "null,\"parent\":null,\"children\":[]}",
            c ? "," : "[", c, BEGAN_S + c * 60, BEGAN_S + c * 60 + 9, c, c);
    node(f, c, "sys", "root", "system", "", 0, "text", "");
    fputs("}}", f);
    node(f, c, "q", "sys", "user", "", 1, "text", "What happened?");
    fputs("}}", f);
    node(f, c, "call", "q", "assistant", "\"recipient\":\"web\",", 2, "code",
         "search()");
    fputs("}}", f);
    node(f, c, "tool", "call", "tool", "", 2.5, "text", "results");
    fputs("}}", f);
    add_answer(f, c);
    node(f, c, "think", "q", "assistant", "\"channel\":\"analysis\",", 6,
         "text", "Hm");
    fputs("}}", f);
    node(f, c, "again", "think", "assistant", "\"recipient\":\"all\",", 7,
         "text", "Another answer.");
    fputs("}}", f);
    node(f, c, "next", "a", "user", "", 4, "multimodal_text", "And now?");
    fputs("}}", f);
    add_older(f, c);
    fprintf(f, "},\"current_node\":\"old%d\",\"conversation_id\":\"c%d\"}", c,
            c);
}

static void make_original(FILE *f)
{
    for (int c = 0; c < CHATS; c++)
        add_chat(f, c);
    fputs(",{\"title\":\"No tree\",\"conversation_id\":\"bad\"},"
          "{\"title\":\"No id\",\"mapping\":{}}]",
          f);
}

/* ---- The same as it was? ------------------------------------------------- */

static void check_page(struct comparing *c, struct citation *want, int number,
                       const char *title, const char *url, const char *words)
{
    want->number = number;
    want->source = (struct source){
        .type = FOOTNOTE_WEB,
        .id = passage_id(STR_NONE, str_c(url), str_c(title), 0, str_c(words)),
        .url = str_c(url),
        .title = str_c(title),
        .preview = str_c(words)};
    comparing_check(c, want);
}

static void check_answer(struct comparing *c, struct citation *want, int i)
{
    char url[40], words[40];

    snprintf(url, sizeof(url), "https://a.example/%d", i);
    snprintf(words, sizeof(words), "It fell by %d.", i);
    check_page(c, want, 1, "Falls", url, words);
    snprintf(url, sizeof(url), "https://copy.example/%d", i);
    check_page(c, want, 2, "Copy", url, NULL);
    snprintf(url, sizeof(url), "https://b.example/%d", i);
    check_page(c, want, 3, "Rises", url, NULL);
    snprintf(url, sizeof(url), "https://c.example/%d", i);
    check_page(c, want, 4, "Read", url, NULL);
}

static void check_older(struct comparing *c, struct citation *want, int i)
{
    char id[20], words[20];

    snprintf(id, sizeof(id), "file-%d", i);
    snprintf(words, sizeof(words), "Seite %d", i);
    want->number = 1;
    want->source =
        (struct source){.type = FOOTNOTE_TEXT,
                        .id = passage_id(str_c(id), STR_NONE, STR("notes.pdf"),
                                         0, str_c(words)),
                        .document = str_c(id),
                        .title = STR("notes.pdf"),
                        .preview = str_c(words)};
    comparing_check(c, want);
    check_page(c, want, 2, "Else", "https://d.example/", NULL);
}

static void check_chat(struct comparing *c, int i)
{
    char session[20], answer[20], older[20], again[20];
    struct citation want = {.user = STR("local")};
    const struct history *h;

    snprintf(session, sizeof(session), "c%d", i);
    snprintf(answer, sizeof(answer), "a%d", i);
    snprintf(older, sizeof(older), "old%d", i);
    snprintf(again, sizeof(again), "again%d", i);
    want.session = str_c(session);
    want.message = str_c(answer);
    check_answer(c, &want, i);
    want.message = str_c(older);
    check_older(c, &want, i);
    h = comparing_session(c, want.user, want.session);
    CHECK_INT(h->head.created_ms, (BEGAN_S + i * 60) * 1000 + 500);
    CHECK_INT(h->head.active_ms, (BEGAN_S + i * 60 + 9) * 1000 + 250);
    CHECK_INT(h->messages_n, 4);
    CHECK_TEXT(h->messages[1].content,
               STR("It fell [1][2], and rose [3][1]. End."));
    CHECK_INT(h->messages[1].created_ms, (BEGAN_S + i * 60) * 1000 + 3250);
    CHECK_INT(h->messages[1].versions_n, 2);
    CHECK_TEXT(h->messages[1].versions[1], str_c(again));
    CHECK(!h->messages[1].sources[3].cited); /* it was only listed */
    CHECK_TEXT(h->messages[3].content,
               STR("\xc3\x9c"
                   "ber \xf0\x9f\x93\x9a Seite[1]. Ende"));
    CHECK(h->messages[3].sources[0].cited && !h->messages[3].sources[1].cited);
}

static void check_store(struct store *st)
{
    AUTO(comparing_free) struct comparing c = {.store = st};

    for (int i = 0; i < CHATS; i++)
        check_chat(&c, i);
}

static void check_counts(const struct importing *im)
{
    CHECK_INT(im->counts.messages, CHATS * 5);
    CHECK_INT(im->counts.references, CHATS * 6);
    CHECK_INT(importing_notes(im, "points to no mark"), CHATS);
    CHECK(importing_noted(im, "left out: session bad", "mapping"));
    CHECK(importing_noted(im, "left out: conversations:212",
                          "has no conversation_id"));
    CHECK_INT(im->counts.left_out, 2);
    CHECK_INT(im->counts.changed, CHATS);
}

static struct proof made(void)
{
    return (struct proof){
        .o = {.kind = "chatgpt",
              .source = str_c(made_file("conversations.json", make_original))},
        .sessions = CHATS,
        .killed_at = 75,
        .counts = check_counts,
        .check = check_store};
}

CONTRACT_LIMIT(chatgpt_comes_whole, 120)
{
    struct proof p = made();

    prove_whole(&p, test_url());
}

CONTRACT_LIMIT(chatgpt_that_was_killed_goes_on, 120)
{
    struct proof p = made();

    prove_killed(&p, test_url());
}

/* Offsets behind the end, within a character, backwards: sources stay. */
CONTRACT(chatgpt_offsets_that_are_none_do_no_harm)
{
    AUTO(comparing_free) struct comparing c = {.store = NULL};
    const struct history *h;
    struct importing im = importing_begin(
        test_url(), "chatgpt",
        text_file(
            "c.json",
            "[{\"conversation_id\":\"c\",\"mapping\":{\"a\":{\"message\":"
            "{\"id\":\"a\",\"author\":{\"role\":\"assistant\"},\"content\":"
            "{\"content_type\":\"text\",\"parts\":[\"\\u3010x\\u3011 y\"]},"
            "\"metadata\":{\"citations\":[{\"start_ix\":2,\"end_ix\":99,"
            "\"metadata\":{\"title\":\"A\"}},{\"start_ix\":9,\"end_ix\":1,"
            "\"metadata\":{\"title\":\"B\"}},{\"start_ix\":-5,\"end_ix\":"
            "9223372036854775807,\"metadata\":{\"title\":\"C\"}},{\"start_ix\":"
            "0,\"end_ix\":1e99,\"metadata\":null}]}}}}}]"));

    CHECK_OK(importing_run(&im, &err), &err);
    c.store = im.o.store;
    h = comparing_session(&c, STR("local"), STR("c"));
    CHECK_TEXT(h->messages[0].content, STR("\xe3\x80\x90x\xe3\x80\x91 y"));
    CHECK_INT(h->messages[0].sources_n, 3);
    importing_end(&im);
}

TEST_LIMIT(sqlite_chatgpt_without_room_goes_on_later, 120)
{
    struct proof p;

    contract_engine("sqlite");
    p = made();
    prove_full(&p);
}
