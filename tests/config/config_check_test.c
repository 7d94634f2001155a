/* config_check_test.c - the file of settings, and what a server needs. */
#include <stdio.h>

#include "settings.h"

/* ---- The file
 * ------------------------------------------------------------------------- */

static enum footnote_rc note_line(void *arg, const struct config_key *key,
                                  const struct config_value *v,
                                  struct footnote_err *err)
{
    struct buf *b = arg;

    (void)err;
    buf_printf(b, "%d ", key->line);
    if (key->list.p)
        buf_printf(b, "%.*s[%zu].", STR_ARG(key->list), key->item);
    buf_add(b, key->name);
    if (v->form != FORM_LIST)
        buf_printf(b, "%s%.*s;", v->form == FORM_UNQUOTED ? "=" : "=$",
                   STR_ARG(v->text));
    for (size_t i = 0; i < v->items_n; i++)
        buf_printf(b, "%s%.*s", i ? "," : "=", STR_ARG(v->items[i]));
    if (v->form == FORM_LIST)
        buf_add(b, STR("."));
    return FOOTNOTE_OK;
}

TEST(a_file_of_settings_is_a_small_part_of_toml)
{
    static const struct {
        const char *text, *want; /* what comes out, or "!" and the error */
    } cases[] = {
        {"", ""},
        {"\n# nothing\n  # at all", ""},
        {"a = 1", "1 a=1;"},
        {"a=-12\r\nb = true # yes\r\n", "1 a=-12;2 b=true;"},
        {"a = \"\"\nb = \"x # y\" # z\n", "1 a=$;2 b=$x # y;"},
        {"a = \"\\\"\\\\\"", "1 a=$\"\\;"},
        {"a = []", "1 a."},
        {"a = [\"x\", \"y\",]\n", "1 a=x,y."},
        {"a = [ # one\n \"x\" # two\n , \"y\"\n]\nb = 2", "1 a=x,y.5 b=2;"},
        {"[s]\na = 1\n[ t ] # u\na = 2", "2 s-a=1;4 t-a=2;"},
        {"a = 1\na = 2", "!line 2: a is there twice"},
        {"s-a = 1\n[s]\na = 2", "!line 3: s-a is there twice"},
        {"a", "!line 1: a setting is written name = value"},
        {"= 1", "!line 1: a name is missing"},
        {"a.b = 1", "!line 1: a setting is written name = value"},
        {"\"a\" = 1", "!line 1: a name is missing"},
        {"a =", "!line 1: a value is"},
        {"\na = 1.5", "!line 2: text after the value"},
        {"a = 010", "!line 1: a value is"},
        {"a = yes", "!line 1: a value is"},
        {"a = 1 2", "!line 1: text after the value"},
        {"a = \"x", "!line 1: a text has no closing quote"},
        {"a = \"x\ny\"", "!line 1: a text has no closing quote"},
        {"a = \"x\\", "!line 1: a text has no closing quote"},
        {"a = \"\\n\"", "!line 1: only \\\" and \\\\ may follow a \\"},
        {"a = \"x\" \"y\"", "!line 1: text after the value"},
        {"a = \"\"\"x\"\"\"", "!line 1: text after the value"},
        {"a = [\"x\"", "!line 1: a list has no closing ]"},
        {"a = [\"x\" \"y\"]", "!line 1: a list has no closing ]"},
        {"a = [1]", "!line 1: a text is written in \"quotes\""},
        {"[s", "!line 1: a section is written [name]"},
        {"[[s]]\na = 1\n[t]\na = 2\n[[s]]\na = 3",
         "2 s[0].a=1;4 t-a=2;6 s[1].a=3;"},
        {"[[s]]\na = 1\na = 2", "!line 3: a is there twice"},
        {"[[s]", "!line 1: a section is written [name], an item of a list"},
        {"[s.t]", "!line 1: a section is written [name]"},
        {"[s] a = 1", "!line 1: text after the value"},
        {"a = \"\xC3\"", "!it is not UTF-8"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
        AUTO(buf_free) struct buf b = BUF(4096);
        struct footnote_err err = {.text = ""};
        enum footnote_rc rc =
            config_parse(&a, str_c(cases[i].text), note_line, &b, &err);

        if (cases[i].want[0] == '!') {
            CHECK_INT(rc, FOOTNOTE_INVALID);
            HAS(err.text, cases[i].want + 1);
        } else {
            CHECK_OK(rc, &err);
            CHECK_TEXT(b.n ? buf_str(&b) : STR(""), str_c(cases[i].want));
        }
    }
}

TEST(a_file_of_settings_that_is_too_large_or_missing_is_refused)
{
    AUTO(free_settings)
    struct settings missing = {.words = {"--config", "/nonexistent/x.toml"}};
    AUTO(free_settings) struct settings folder = {.words = {"--config", "/"}};
    AUTO(free_settings) struct settings large = {.words = {"--config", NULL}};
    char path[PATH_BYTES];
    FILE *f;

    CHECK_INT(read_settings(&missing), FOOTNOTE_INVALID);
    HAS(missing.err.text, "/nonexistent/x.toml: No such file");
    CHECK_INT(read_settings(&folder), FOOTNOTE_INVALID);
    snprintf(path, sizeof(path), "%s", path_of("large.toml"));
    f = fopen(path, "w");
    for (int i = 0; i <= CONFIG_FILE_BYTES_MAX; i++)
        fputc('#', f);
    fclose(f);
    large.words[1] = path;
    CHECK_INT(read_settings(&large), FOOTNOTE_INVALID);
    HAS(large.err.text, "over 262144 bytes");
}

/* ---- What a server needs
 * ------------------------------------------------------------------ */

TEST(a_server_refuses_what_is_unsafe_or_cannot_work)
{
    static const struct {
        const char *flags[3];
        const char *says; /* NULL: it is fine */
    } cases[] = {
        {{"--listen=127.0.0.1:0"}, NULL},
        {{"--listen=127.9.9.9:1"}, NULL},
        {{"--listen=[::1]:8080"}, NULL},
        {{"--listen=localhost:8080"}, NULL},
        {{"--listen=0.0.0.0:80"}, "listen: 0.0.0.0:80 can be reached"},
        {{"--listen=[::]:80"}, "listen: [::]:80 can be reached"},
        {{"--listen=10.0.0.1:80", "--auth=none,key"}, "can be reached"},
        {{"--listen=localhost.example:80"}, "can be reached"},
        {{"--listen=0.0.0.0:80", "--auth=key"}, NULL},
        {{"--listen=8080"}, "listen: it takes ADDR:PORT"},
        {{"--listen=:8080"}, "listen: it takes ADDR:PORT"},
        {{"--listen=::1:8080"}, "listen: it takes ADDR:PORT"},
        {{"--listen=127.0.0.1:65536"}, "listen: it takes ADDR:PORT"},
        {{"--listen=127.0.0.1:-1"}, "listen: it takes ADDR:PORT"},
        {{"--listen=127.0.0.1:x"}, "listen: it takes ADDR:PORT"},
        {{"--auth=jwt"}, "auth: jwt needs --jwt-secret-file or --jwks"},
        {{"--auth=jwt", "--jwks=keys.json"}, "jwks: say whose tokens"},
        {{"--auth=jwt", "--jwks=keys.json", "--jwt-issuer=x"},
         "jwks: say whose tokens"},
        {{"--auth=jwt", "--jwks=keys.json", "--jwt-audience=x"},
         "jwks: say whose tokens"},
        {{"--public-url=https://notes.example"}, "public-url: in mode none"},
        {{"--public-url=http://127.0.0.1.example:80"}, "in mode none"},
        {{"--public-url=https://notes.example", "--auth=none,key"},
         "public-url: in mode none"},
        {{"--public-url=https://notes.example", "--auth=key"}, NULL},
        {{"--public-url=http://localhost:8080"}, NULL},
        {{"--public-url=http://localhost:8080,http://notes.example"},
         "public-url: in mode none"},
        {{"--public-url=https://a.example, https://b.example/", "--auth=key"},
         NULL},
        {{"--public-url=https://a.example,http://b.example", "--auth=key"},
         "either all are https or none is"},
        {{"--public-url=http://[::1]:8080"}, NULL},
        {{"--trusted-proxies=0.0.0.0/0"}, "would let strangers say"},
        {{"--trusted-proxies=::/0"}, "would let strangers say"},
        {{"--trusted-proxies=128.0.0.0/1"}, "would let strangers say"},
        {{"--trusted-proxies=10.0.0.1,2000::/3"}, "2000::/3 would let"},
        {{"--trusted-proxies=::ffff:0:0/96"}, "would let strangers say"},
        {{"--trusted-proxies=::ffff:10.0.0.0/104"}, NULL},
        {{"--trusted-proxies=fc00::/7"}, NULL},
        {{"--auth=proxy"}, "auth: proxy needs --trusted-proxies"},
        {{"--auth=oidc", "--oidc-issuer=https://id.example"},
         "auth: oidc needs --oidc-issuer and --oidc-client-id"},
        {{"--auth=oidc", "--oidc-issuer=http://id.example",
          "--oidc-client-id=x"},
         "oidc-issuer: it takes https://"},
        {{"--oidc-groups=staff=heat:owner"}, "oidc-groups: staff=heat:owner"},
        {{"--admin-claim=groups"}, "admin-claim: it takes NAME=VALUE"},
        {{"--auth=proxy", "--trusted-proxies=127.0.0.1"}, NULL},
        {{"--auth=proxy", "--trusted-proxies=127.0.0.1",
          "--auth-header=X User"},
         "auth-header: it takes the name of a header"},
        {{"--trusted-proxies=10.0.0.0/8,fd00::/8"}, NULL},
        {{"--trusted-proxies=10.0.0.0/33"}, "trusted-proxies: 10.0.0.0/33"},
        {{"--trusted-proxies=proxy.example"}, "trusted-proxies: proxy.example"},
        {{"--cors-origins=https://a.example:8443"}, NULL},
        {{"--cors-origins=*"}, "cors-origins: * is not an origin"},
        {{"--cors-origins=null"}, "cors-origins: null is not an origin"},
        {{"--cors-origins=https://a.example/"}, "is not an origin"},
        {{"--objects-external=snapshots/,a/b/"}, NULL},
        {{"--objects-external=snapshots/,a"}, "objects-external: a is not"},
        {{"--objects-external=/"}, "objects-external: / is not a prefix"},
        {{"--public-url=ftp://x"}, "public-url: it takes URLs"},
        {{"--public-url=https://x.example/notes"}, "public-url: it takes"},
        {{"--database=mysql://x"}, "database: it takes sqlite:FILE or"},
        {{"--database=postgresql://x"}, NULL},
        {{"--chat-bytes-max=65M"}, "bodies-bytes: is at least four times"},
        {{"--body-bytes-max=65M"}, "bodies-bytes: is at least four times"},
        {{"--chat-bytes-max=65M", "--bodies-bytes=260M"}, NULL},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(free_settings)
        struct settings g = {
            .words = {cases[i].flags[0], cases[i].flags[1],
                      cases[i].flags[1] ? cases[i].flags[2] : NULL}};
        enum footnote_rc rc;

        CHECK_OK(read_settings(&g), &g.err);
        rc = config_check(&g.config, &g.err);
        if (!cases[i].says) {
            CHECK_OK(rc, &g.err);
            continue;
        }
        CHECK_INT(rc, FOOTNOTE_INVALID);
        HAS(g.err.text, cases[i].says);
    }
}

TEST(a_server_refuses_a_secret_that_can_be_guessed)
{
    AUTO(free_settings)
    struct settings weak = {.env = {"FOOTNOTE_JWT_SECRET=0123456789abcdef"}};
    AUTO(free_settings)
    struct settings strong = {.env = {"FOOTNOTE_JWT_SECRET=" SECRET},
                              .words = {"--auth=jwt"}};

    CHECK_OK(read_settings(&weak), &weak.err);
    CHECK_INT(config_check(&weak.config, &weak.err), FOOTNOTE_INVALID);
    HAS(weak.err.text, "jwt-secret: it has 16 bytes");
    CHECK_OK(read_settings(&strong), &strong.err);
    CHECK_OK(config_check(&strong.config, &strong.err), &strong.err);
}

TEST(the_nearest_word_is_found_and_a_far_one_is_not)
{
    static const struct {
        const char *word, *best;
    } cases[] = {
        {"serv", "serve"},   {"esrve", "serve"}, {"konfig", "config"},
        {"vers", "version"}, {"x", NULL},        {"eky", "key"},
        {"wonderful", NULL}, {"", NULL},         {"sing", NULL},
    };
    static const char *const words[] = {"serve", "key", "config", "version"};

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct nearest n = {.word = str_c(cases[i].word)};

        for (size_t j = 0; j < 4; j++)
            nearest_try(&n, str_c(words[j]));
        CHECK_STR(n.best.p, cases[i].best);
    }
}
