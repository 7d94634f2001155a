/* config_test.c - settings: where they come from and what they take. */
#include <stdio.h>
#include <sys/stat.h>

#include "settings.h"

/* ---- Precedence
 * ------------------------------------------------------------------ */

TEST(each_source_of_settings_is_stronger_than_the_one_before)
{
    AUTO(free_settings) struct settings none = {.words = {NULL}};
    AUTO(free_settings) struct settings own = {.words = {NULL}};
    AUTO(free_settings) struct settings file = {.words = {"--config", NULL}};
    AUTO(free_settings)
    struct settings env = {.env = {"FOOTNOTE_WORKERS=13"},
                           .words = {"--config", NULL}};
    AUTO(free_settings)
    struct settings flag = {.env = {"FOOTNOTE_WORKERS=13"},
                            .words = {"--config", NULL, NULL}};
    char given_path[PATH_BYTES];

    CHECK_OK(read_settings(&none), &none.err);
    CHECK_INT(none.config.workers, 4);
    CHECK_TEXT(where_of(&none, "workers"), STR("default"));

    write_file("footnote/footnote.toml", "\nworkers = 11\n", 0600);
    CHECK_OK(read_settings(&own), &own.err);
    CHECK_INT(own.config.workers, 11);
    HAS(where_of(&own, "workers").p, "/footnote/footnote.toml:2");

    write_file("given.toml", "workers = 12\n", 0600);
    snprintf(given_path, sizeof(given_path), "%s", path_of("given.toml"));
    file.words[1] = env.words[1] = flag.words[1] = given_path;
    CHECK_OK(read_settings(&file), &file.err);
    CHECK_INT(file.config.workers, 12);
    HAS(where_of(&file, "workers").p, "/given.toml:1");

    CHECK_OK(read_settings(&env), &env.err);
    CHECK_INT(env.config.workers, 13);
    CHECK_TEXT(where_of(&env, "workers"), STR("FOOTNOTE_WORKERS"));

    flag.words[2] = "--workers=14";
    CHECK_OK(read_settings(&flag), &flag.err);
    CHECK_INT(flag.config.workers, 14);
    CHECK_TEXT(where_of(&flag, "workers"), STR("--workers"));
}

TEST(the_environment_can_name_the_file_of_settings)
{
    AUTO(free_settings) struct settings g = {.env = {NULL}};
    char variable[PATH_BYTES + 20];

    write_file("x.toml", "workers = 9\n", 0600);
    snprintf(variable, sizeof(variable), "FOOTNOTE_CONFIG=%s",
             path_of("x.toml"));
    g.env[0] = variable;
    CHECK_OK(read_settings(&g), &g.err);
    CHECK_INT(g.config.workers, 9);
}

TEST(an_empty_variable_is_an_unset_one)
{
    AUTO(free_settings)
    struct settings g = {.env = {"FOOTNOTE_WORKERS=", "FOOTNOTE_JWKS="}};

    CHECK_OK(read_settings(&g), &g.err);
    CHECK_INT(g.config.workers, 4);
    CHECK(!g.config.jwks.p);
}

TEST(a_mistake_in_a_weaker_source_is_found_all_the_same)
{
    AUTO(free_settings)
    struct settings g = {.env = {"FOOTNOTE_WORKERS=many"},
                         .words = {"--workers", "3"}};

    CHECK_INT(read_settings(&g), FOOTNOTE_INVALID);
    CHECK(!g.in.usage);
    HAS(g.err.text, "FOOTNOTE_WORKERS: it takes a number, from 1 to 256");
}

TEST(the_data_folder_is_below_the_home)
{
    AUTO(free_settings) struct settings home = {.words = {NULL}};
    AUTO(free_settings)
    struct settings xdg = {.env = {"XDG_DATA_HOME=/srv/share"}};
    AUTO(free_settings)
    struct settings odd = {.env = {"XDG_DATA_HOME=relative"}};
    AUTO(free_settings) struct settings said = {.words = {"--data", "here"}};
    AUTO(free_settings)
    struct settings question = {.words = {"--data", "what?"}};

    CHECK_OK(read_settings(&home), &home.err);
    CHECK_TEXT(home.config.data, STR("/home/ada/.local/share/footnote"));
    CHECK_TEXT(home.config.database,
               STR("sqlite:/home/ada/.local/share/footnote/footnote.db"));
    CHECK_OK(read_settings(&xdg), &xdg.err);
    CHECK_TEXT(xdg.config.data, STR("/srv/share/footnote"));
    CHECK_OK(read_settings(&odd), &odd.err);
    CHECK_TEXT(odd.config.data, STR("/home/ada/.local/share/footnote"));
    CHECK_OK(read_settings(&said), &said.err);
    CHECK_TEXT(said.config.database, STR("sqlite:here/footnote.db"));
    CHECK_INT(read_settings(&question), FOOTNOTE_INVALID);
    HAS(question.err.text, "--database");
}

/* ---- The command line
 * -------------------------------------------------------------- */

TEST(words_that_are_no_settings_are_left_in_order)
{
    AUTO(free_settings)
    struct settings g = {.words = {"add", "--demo", "ada", "--tenant", "t",
                                   "-q", "--workers", "2", "--", "--workers",
                                   "3"}};
    const char *const want[] = {"add", "ada", "--tenant",  "t",
                                "-q",  "--",  "--workers", "3"};

    CHECK_OK(read_settings(&g), &g.err);
    CHECK_INT(g.in.rest_n, 8);
    for (size_t i = 0; i < 8; i++)
        CHECK_TEXT(g.in.rest[i], str_c(want[i]));
    CHECK(g.config.demo);
    CHECK_INT(g.config.workers, 2);
}

TEST(a_flag_without_its_value_is_a_usage_error)
{
    AUTO(free_settings) struct settings last = {.words = {"--workers"}};
    AUTO(free_settings) struct settings next = {.words = {"--data", "--demo"}};

    CHECK_INT(read_settings(&last), FOOTNOTE_INVALID);
    CHECK(last.in.usage);
    HAS(last.err.text, "--workers: its value is missing");
    CHECK_INT(read_settings(&next), FOOTNOTE_INVALID);
    HAS(next.err.text, "--data: its value is missing");
}

TEST(the_last_of_two_flags_wins)
{
    AUTO(free_settings)
    struct settings g = {
        .words = {"--workers=2", "--workers", "3", "--demo", "--demo=false"}};

    CHECK_OK(read_settings(&g), &g.err);
    CHECK_INT(g.config.workers, 3);
    CHECK(!g.config.demo);
}

/* ---- Types
 * -------------------------------------------------------------------------- */

TEST(each_type_takes_its_values)
{
    AUTO(free_settings)
    struct settings g = {.env = {"FOOTNOTE_DEMO=yes", "FOOTNOTE_IDLE_MS=250ms"},
                         .words = {"--auth", "jwt, key", "--cache-bytes=2G",
                                   "--head-ms=5s", "--body-bytes-max", "64K",
                                   "--grace-ms", "0", "--trusted-proxies",
                                   "10.0.0.0/8,, ::1 ,", "--public-url",
                                   "https://x.example/, https://y.example//",
                                   "--durability=relaxed"}};

    CHECK_OK(read_settings(&g), &g.err);
    CHECK_INT(g.config.auth, CONFIG_AUTH_JWT | CONFIG_AUTH_KEY);
    CHECK_INT(g.config.cache_bytes, INT64_C(2) << 30);
    CHECK_INT(g.config.head_ms, 5000);
    CHECK_INT(g.config.idle_ms, 250);
    CHECK_INT(g.config.grace_ms, 0);
    CHECK_INT(g.config.body_bytes_max, 65536);
    CHECK_TEXT(g.config.trusted_proxies, STR("10.0.0.0/8,::1"));
    CHECK_TEXT(g.config.public_url, STR("https://x.example,https://y.example"));
    CHECK_TEXT(g.config.durability, STR("relaxed"));
    CHECK(g.config.demo);
}

TEST(each_type_refuses_what_it_does_not_take)
{
    static const struct {
        const char *flag, *says;
    } cases[] = {
        {"--workers=x", "--workers: it takes a number, from 1 to 256"},
        {"--workers=0", "from 1 to 256"},
        {"--workers=257", "from 1 to 256"},
        {"--workers=2K", "it takes a number"},
        {"--workers=99999999999999999999", "it takes a number"},
        {"--workers=", "it takes a number"},
        {"--cache-bytes=K", "bytes, as 4096, 64K or 1M"},
        {"--cache-bytes=9999999999G", "bytes"},
        {"--cache-bytes=-1", "bytes"},
        {"--head-ms=1m", "milliseconds, as 500, 10s or 2h"},
        {"--head-ms=9", "from 10 to"},
        {"--demo=maybe", "--demo: it takes true or false"},
        {"--auth=key,magic", "\"magic\" is none of none|key|jwt|proxy"},
        {"--auth=,", "it is empty; it takes none|key|jwt|proxy"},
        {"--log-level=loud", "\"loud\" is none of debug|info|warn|error"},
        {"--log-level=", "is none of"},
        {"--listen=a\nb", "--listen: it has a control character"},
        {"--jwks=\xFF", "--jwks: it is not UTF-8"},
        {"--cors-origins=a\x7F", "control character"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(free_settings) struct settings g = {.words = {cases[i].flag}};

        CHECK_INT(read_settings(&g), FOOTNOTE_INVALID);
        CHECK(g.in.usage);
        HAS(g.err.text, cases[i].says);
    }
}

TEST(an_unknown_key_in_a_file_is_answered_with_the_nearest_one)
{
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"workres = 3", "line 1: workres is not a setting (did you mean "
                        "workers?)"},
        {"jwt-secret = \"x\"", "did you mean jwt-secret-file?"},
        {"cors = []", "did you mean cors-origins?"},
        {"something-else = 1", "something-else is not a setting"},
        {"workers-file = \"x\"", "workers-file is not a setting"},
        {"[jwt]\naudiense = \"x\"", "line 2: jwt-audiense is not a setting "
                                    "(did you mean jwt-audience?)"},
        {"workers = \"none\"", "line 1: workers: it takes a number"},
        {"listen = 8080", "line 1: listen: it takes a text in quotes"},
        {"listen = [\"a\"]", "line 1: listen: it takes one value, no list"},
        {"auth = true", "line 1: auth: it takes a text in quotes"},
        {"database-file = 3", "database-file: it takes the name of a file"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        AUTO(free_settings) struct settings g = {.words = {NULL}};

        mkdir(path_of("footnote"), 0700);
        write_file("footnote/footnote.toml", cases[i].line, 0600);
        CHECK_INT(read_settings(&g), FOOTNOTE_INVALID);
        CHECK(!g.in.usage);
        HAS(g.err.text, cases[i].says);
        HAS(g.err.text, "footnote.toml");
    }
}

/* ---- Secrets
 * -------------------------------------------------------------------------- */

TEST(a_secret_comes_from_a_file_that_few_can_read)
{
    AUTO(free_settings)
    struct settings flag = {.words = {"--jwt-secret-file", NULL}};
    AUTO(free_settings)
    struct settings open = {.words = {"--jwt-secret-file", NULL}};
    AUTO(free_settings)
    struct settings empty = {.words = {"--jwt-secret-file", NULL}};
    char path[PATH_BYTES];

    snprintf(path, sizeof(path), "%s", path_of("secret"));
    flag.words[1] = open.words[1] = empty.words[1] = path;
    write_file("secret", SECRET "\r\n", 0640);
    CHECK_OK(read_settings(&flag), &flag.err);
    CHECK_TEXT(flag.config.jwt_secret, STR(SECRET));

    write_file("secret", SECRET, 0604);
    CHECK_INT(read_settings(&open), FOOTNOTE_INVALID);
    CHECK(!open.in.usage); /* exit 7, not 2 */
    HAS(open.err.text, "jwt-secret: ");
    HAS(open.err.text, "everybody can read or write it");

    write_file("secret", "\n\n", 0600);
    CHECK_INT(read_settings(&empty), FOOTNOTE_INVALID);
    HAS(empty.err.text, "it is empty");
}

TEST(a_secret_comes_from_the_environment_in_two_ways_but_not_both)
{
    AUTO(free_settings)
    struct settings value = {.env = {"FOOTNOTE_JWT_SECRET=" SECRET}};
    AUTO(free_settings) struct settings file = {.env = {NULL}};
    AUTO(free_settings)
    struct settings both = {.env = {"FOOTNOTE_JWT_SECRET=" SECRET, NULL}};
    char variable[PATH_BYTES + 40];

    CHECK_OK(read_settings(&value), &value.err);
    CHECK_TEXT(value.config.jwt_secret, STR(SECRET));
    write_file("secret", SECRET, 0600);
    snprintf(variable, sizeof(variable), "FOOTNOTE_JWT_SECRET_FILE=%s",
             path_of("secret"));
    file.env[0] = both.env[1] = variable;
    CHECK_OK(read_settings(&file), &file.err);
    CHECK_TEXT(file.config.jwt_secret, STR(SECRET));
    CHECK_TEXT(where_of(&file, "jwt-secret"), STR("FOOTNOTE_JWT_SECRET_FILE"));
    CHECK_INT(read_settings(&both), FOOTNOTE_INVALID);
    HAS(both.err.text, "are both set");
}

TEST(a_secret_on_the_command_line_is_no_setting)
{
    AUTO(free_settings) struct settings g = {.words = {"--jwt-secret=" SECRET}};

    CHECK_OK(read_settings(&g), &g.err);
    CHECK(!g.config.jwt_secret.p);
    CHECK_INT(g.in.rest_n, 1);
}

static struct str shown(struct settings *g, const char *name, struct buf *b)
{
    buf_reset(b);
    config_print(b, config_find_setting(str_c(name)), &g->config);
    return buf_str(b);
}

TEST(no_secret_is_ever_shown)
{
    static const struct {
        const char *url, *want;
    } cases[] = {
        {"postgres://ada:pw@h/db", "\"postgres://ada:(set)@h/db\""},
        {"postgres://ada:p@w/x@h/db", "\"postgres://ada:(set)@h/db\""},
        {"postgres://ada@h:5432/db", "\"postgres://ada@h:5432/db\""},
        {"postgres://h/db?password=pw&sslmode=require",
         "\"postgres://h/db?password=(set)&sslmode=require\""},
        {"postgres://a:b@h/db?password=pw",
         "\"postgres://a:(set)@h/db?password=(set)\""},
        {"sqlite:x.db", "\"sqlite:x.db\""},
    };
    AUTO(buf_free) struct buf b = BUF(4096);
    AUTO(free_settings)
    struct settings g = {.env = {"FOOTNOTE_JWT_SECRET=" SECRET}};

    CHECK_OK(read_settings(&g), &g.err);
    CHECK_TEXT(shown(&g, "jwt-secret", &b), STR("\"(set)\""));
    CHECK_TEXT(shown(&g, "metrics-token", &b), STR("\"\""));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        g.config.database = str_c(cases[i].url);
        CHECK_TEXT(shown(&g, "database", &b), str_c(cases[i].want));
    }
}

/* ---- All of it
 * -------------------------------------------------------------------------- */

static void print_all(const struct config *c, struct buf *b)
{
    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];

        if (s->secrecy == CONFIG_SECRET)
            continue;
        buf_printf(b, "%s = ", s->name);
        config_print(b, s, c);
        buf_add_c(b, '\n');
    }
    buf_add_c(b, '\0');
}

TEST(what_is_shown_can_be_read_again)
{
    AUTO(buf_free) struct buf first = BUF(65536);
    AUTO(buf_free) struct buf again = BUF(65536);
    AUTO(free_settings)
    struct settings g = {.words = {"--auth=key,proxy", "--jwks", "a \"b\" \\c",
                                   "--cors-origins=https://a.example,http://b",
                                   "--demo", "--cache-bytes=1K"}};
    AUTO(free_settings) struct settings back = {.words = {"--config", NULL}};
    char path[PATH_BYTES];

    CHECK_OK(read_settings(&g), &g.err);
    print_all(&g.config, &first);
    write_file("all.toml", first.p, 0600);
    snprintf(path, sizeof(path), "%s", path_of("all.toml"));
    back.words[1] = path;
    CHECK_OK(read_settings(&back), &back.err);
    print_all(&back.config, &again);
    CHECK_TEXT(buf_str(&again), buf_str(&first));
    CHECK_TEXT(back.config.jwks, STR("a \"b\" \\c"));
}

TEST(every_setting_has_a_line_of_help_and_a_default_it_takes)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);

    for (size_t i = 0; i < config_settings_n; i++) {
        const struct setting *s = &config_settings[i];
        struct config_value v = {.form = FORM_TEXT, .text = str_c(s->preset)};
        struct config c = {.auth = 0};
        struct footnote_err err;

        CHECK(s->help && s->group && strlen(s->help) < 80);
        CHECK(config_find_setting(str_c(s->name)) == s); /* no name twice */
        if (s->preset)
            CHECK_OK(config_put(&a, s, &v, &c, &err), &err);
    }
}

TEST(out_of_memory_while_reading_settings_is_said)
{
    size_t bytes = 0;
    enum footnote_rc rc = FOOTNOTE_NOMEM;

    write_file("m.toml", "auth = [\"key\"]\njwks = \"x\"\nnope = 1", 0600);
    for (; rc == FOOTNOTE_NOMEM && bytes < ARENA_BYTES; bytes += 509) {
        AUTO(free_settings)
        struct settings g = {.words = {"--workers=3", "--config", NULL},
                             .arena = ARENA(bytes + 1)};
        char path[PATH_BYTES];

        snprintf(path, sizeof(path), "%s", path_of("m.toml"));
        g.words[2] = path;
        rc = read_settings(&g);
    }
    CHECK_INT(rc, FOOTNOTE_INVALID); /* in the end it sees the last line */
}

/* ---- Variables that name nothing ------------------------------------------
 */

TEST(variables_that_name_no_setting_are_told)
{
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);
    const char *list[] = {"FOOTNOTE_MODLE=x",
                          "FOOTNOTE_JWT_SECRET_FILE=x",
                          "FOOTNOTE_WORKERS=3",
                          "FOOTNOTE_WORKERS_FILE=x",
                          "FOOTNOTE_CONFIG=x",
                          "FOOTNOTE_KEY=x",
                          "FOOTNOTE_PORT_8080_TCP=tcp://10.0.0.1:8080",
                          "FOOTNOTE_SERVICE_HOST=10.0.0.1",
                          "FOOTNOTE=x",
                          "HOME=/x",
                          "FOOTNOTE_",
                          NULL};
    char *const *env = (char *const *)(uintptr_t)list;
    struct str said[4];

    CHECK_INT(config_unknown_env(&a, env, said, 4), 3);
    CHECK_TEXT(said[0], STR("FOOTNOTE_MODLE is not a setting (did you mean "
                            "FOOTNOTE_MODEL?)"));
    HAS(said[1].p, "FOOTNOTE_WORKERS_FILE is not a setting");
    HAS(said[2].p, "FOOTNOTE_ is not a setting");
    CHECK_INT(config_unknown_env(&a, env, said, 1), 1);
}

/* ---- Passwords ------------------------------------------------------------
 */

TEST(passwords_of_urls_are_hidden)
{
    static const struct {
        const char *url, *shown;
    } cases[] = {
        {"postgres://u:p@h/d", "postgres://u:(set)@h/d"},
        {"postgres://u:p@p/x?@h/d", "postgres://u:(set)@h/d"},
        {"postgres://h/d?password=a&x=1&sslpassword=b",
         "postgres://h/d?password=(set)&x=1&sslpassword=(set)"},
        {"https://u:p@h", "https://u:(set)@h"},
        {"https://h:8080/a", "https://h:8080/a"},
        {"plain: text @ all", "plain: text @ all"},
        {"", ""},
    };
    AUTO(arena_free) struct arena a = ARENA(ARENA_BYTES);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        CHECK_TEXT(config_hide_passwords(&a, str_c(cases[i].url)),
                   str_c(cases[i].shown));
}
