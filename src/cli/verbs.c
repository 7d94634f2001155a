/* verbs.c - THE TABLE of verbs, with what --help says about each. */
#include "cli/cli.h"

// clang-format off
const struct verb cli_verbs[] = {
    {"serve", verb_serve, "answer over HTTP until SIGTERM",
     "  footnote serve                      on http://127.0.0.1:8080, for you\n"
     "  footnote serve --demo --data try    with something to look at\n"
     "  footnote serve --auth key --listen 0.0.0.0:8080\n"
     "\n"
     "When it is ready, it prints \"listening on http://ADDR:PORT\".  SIGTERM\n"
     "or SIGINT lets running requests finish; a second one ends at once.\n"
     "SIGHUP reads the log level again.\n"
     "\n"
     "  -q, --quiet             log warnings and errors only\n"
     "  -v, --verbose           log details as well\n", true, true},
    {"ingest", verb_ingest, "read files and folders into a course",
     "  footnote ingest slides.pdf notes/ --course physics\n"
     "  footnote ingest talk.vtt --course physics   with talk.mp4 beside it\n"
     "  footnote ingest diary.jsonl --course diary  lines of date,title,text\n"
     "  footnote ingest notes/ --course physics --dry-run\n"
     "  footnote ingest --watch notes/ --course physics\n"
     "\n"
     "Folders are walked.  What is there already is passed over, a changed\n"
     "file of a folder becomes a new version, dated Markdown becomes journal\n"
     "entries.  A running server takes the files over HTTP; without one they\n"
     "are read into the data folder here.  Exit code 4: some files failed.\n"
     "\n"
     "  --course NAME           its id or title; made when there is none\n"
     "  --watch DIR             read DIR, stay, and read what changes in it;\n"
     "                          what is removed from it stays in the course\n"
     "  --dry-run               only say what would be read\n"
     "  --json                  one JSON object a line, as things happen\n"
     "  -q, --quiet             say only what failed to start\n"
     "  --server URL            another server than that of the data folder\n"
     "  --key-file FILE         the key that signs in there\n"
     "  --user NAME             owner, without a server; default: local\n"
     "  --tenant NAME           of that user; default: default\n"
     "  --data DIR, --database URL, --objects URL, --ingest-workers N,\n"
     "  --config FILE           as for serve\n",
     true, false},
    {"ask", verb_ask, "answer a question from a course, with references",
     "  footnote ask \"why does entropy grow?\" --course physics\n"
     "  footnote ask \"and in a closed system?\" --course physics --session s1\n"
     "  footnote ask - --course physics <question.txt   from standard input\n"
     "\n"
     "The answer is shown as it is written, with what it cites below.  It is\n"
     "stored in its session like any other.  A running server answers over\n"
     "HTTP; without one the data folder is opened here.\n"
     "\n"
     "  --course NAME           its id or title; default: all of the user's\n"
     "  --document ID,ID        in these documents alone; --kind slides,lecture,\n"
     "                          journal,page,text: in these kinds; --from DAY\n"
     "                          and --to DAY: in what is dated in between;\n"
     "                          --changed-since DAY: in what is as new\n"
     "  --session ID            go on in this one; default: a new one\n"
     "  --model NAME            as configured; default: the first\n"
     "  --json                  one JSON object, when it is complete\n"
     "  --server URL            another server than that of the data folder\n"
     "  --key-file FILE         the key that signs in there\n"
     "  --user NAME             as whom, without a server; default: local\n"
     "  --tenant NAME           of that user; default: default\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"key", verb_key, "make, list and revoke API keys",
     "  footnote key add ada                prints a key for user ada, once\n"
     "  footnote key add eve --admin --tenant physics\n"
     "  footnote key add ada --label \"the build\" --courses physics,heat\n"
     "                      --read-only --days 90\n"
     "  footnote key list\n"
     "  footnote key revoke fn_x7Kd09aQzP   its beginning, or all of it\n"
     "\n"
     "Works on the database, whether a server is running or not.\n"
     "\n"
     "  --tenant NAME           of the new key's user; default: default\n"
     "  --admin                 may list and end logins, make and revoke keys,\n"
     "                          and read the audit of its tenant\n"
     "  --label TEXT            what the key is for\n"
     "  --courses LIST          it reaches these courses and their sessions\n"
     "                          alone\n"
     "  --read-only             it changes nothing\n"
     "  --days N                it expires after so many days\n"
     "  --json                  one JSON object\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"objects", verb_objects, "check, tidy up or move the files",
     "  footnote objects verify             every file against its digest\n"
     "  footnote objects gc                 set aside what nothing names any more,\n"
     "                                      and remove it a week later\n"
     "  footnote objects move s3://bucket/notes\n"
     "  footnote objects move files:/srv/objects --delete\n"
     "  footnote objects adopt              they are this store's from now on\n"
     "\n"
     "A move copies what is not there yet, compares it, and leaves the old\n"
     "place as it is; then start the server with --objects and the new one.\n"
     "Run it again for what came meanwhile.  Exit code 8: some are missing or\n"
     "damaged.\n"
     "\n"
     "  --delete                move: remove each from the old place\n"
     "  --json                  one JSON object\n"
     "  -q, --quiet             no progress\n"
     "  --data DIR, --database URL, --objects URL, --s3-endpoint URL,\n"
     "  --config FILE           as for serve\n",
     true, false},
    {"usage", verb_usage, "show what each user keeps, and check the counters",
     "  footnote usage                      a line a user\n"
     "  footnote usage --mend               correct counters that are wrong\n"
     "\n"
     "The counters are compared with what is there, which reads all of it.\n"
     "Works on the database, whether a server is running or not.  Exit code\n"
     "8: some are wrong, and --mend was not given.\n"
     "\n"
     "  --mend                  correct them\n"
     "  --json                  one JSON object\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"backup", verb_backup, "copy database and files, beside a running server",
     "  footnote backup /var/backups/footnote     again and again: only what\n"
     "                                            is new is copied\n"
     "  footnote backup notes.tar                 one backup in one file\n"
     "  footnote backup s3://bucket/backups       as a folder, in a bucket\n"
     "  footnote backup --verify /var/backups/footnote\n"
     "\n"
     "A backup is one moment: all that was stored before the command began.\n"
     "It reads the database itself, SQLite or PostgreSQL, and holds up nobody.\n"
     "--verify recomputes every digest of the newest backup, or of DIR/NAME.\n"
     "Exit code 8: something is damaged or missing, in the store or in the\n"
     "backup; it is named.  75: try again.\n"
     "\n"
     "  --verify                check a backup instead of making one\n"
     "  --backup-keep N         remove older ones of this store; default: none\n"
     "  --json                  one JSON object\n"
     "  --data DIR, --database URL, --objects URL, --s3-endpoint URL,\n"
     "  --config FILE           as for serve\n",
     true, false},
    {"restore", verb_restore, "make a store of a backup, in an empty place",
     "  footnote restore /var/backups/footnote --data /var/lib/footnote\n"
     "  footnote restore /var/backups/footnote/2026-02-26T20-15-00.123 ...\n"
     "  footnote restore notes.tar --data new\n"
     "  footnote restore notes.tar --data new --database postgres://...\n"
     "\n"
     "Recomputes every digest and says \"N answers, N citations, all equal\".\n"
     "It never writes over anything: database, files and indexes must not be\n"
     "there yet.  A restore that was cut off can be run again.  The new store\n"
     "has an id of its own.  Exit code 8: something is damaged, and is named.\n"
     "\n"
     "  --json                  one JSON object\n"
     "  --data DIR, --database URL, --objects URL, --s3-endpoint URL,\n"
     "  --config FILE           as for serve\n",
     true, false},
    {"export", verb_export, "sessions as files, to keep or to move",
     "  footnote export s-entropy -o entropy.json\n"
     "  footnote export s-entropy --format bibtex\n"
     "  footnote export --course physics -o physics.jsonl\n"
     "  footnote export --all >everything.jsonl\n"
     "  footnote import footnote everything.jsonl --data new   the way back\n"
     "\n"
     "json is one session with all branches, jsonl one in each line, with\n"
     "their courses and what is known of the documents.  Exported, imported\n"
     "and exported again, a session is the same bytes.  Works on the\n"
     "database, whether a server is running or not; a file is there when it\n"
     "is whole.  docs/moving.md says what is in it.\n"
     "\n"
     "  --format NAME           json, or with many sessions jsonl; to be read:\n"
     "                          markdown, html, and what is cited as bibtex,\n"
     "                          csl or ris\n"
     "  -o, --out FILE          default: to standard output\n"
     "  --course ID             its sessions, whoever's they are\n"
     "  --all                   all sessions of the tenant\n"
     "  --user NAME             whose; default: local, with --course or --all\n"
     "                          everybody's\n"
     "  --tenant NAME           of that user; default: default\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"import", verb_import, "move answers and citations in from elsewhere",
     "  footnote import v1 postgres://old/db --texts table:ai.agno_sessions\n"
     "  footnote import v2 postgres://old/db --user-map users.json\n"
     "  footnote import state threads.jsonl --course physics\n"
     "  footnote import journal DIR         threads, messages, entries.jsonl\n"
     "  footnote import events postgres://old/db --dry-run\n"
     "  footnote import ui chats.jsonl      of the AI SDK\n"
     "  footnote import footnote all.jsonl  of `footnote export`\n"
     "\n"
     "Ids, numbers and times stay as they are.  The source is only read.  A\n"
     "session is imported whole or not at all; run it again after a failure,\n"
     "or for what came meanwhile: what is there already stays as it is.  Each\n"
     "session is listed with a digest, each row that could not be placed with\n"
     "the reason.  docs/moving.md has a section for each product.  Works on\n"
     "the database, whether a server is running or not.  Exit code 4: some\n"
     "rows or sessions were left out.\n"
     "\n"
     "  --user-map FILE         {\"their id\": \"our user\"}; who is missing is\n"
     "                          left out.  Default: users keep their ids\n"
     "  --user NAME             whose they are when nothing says so; default:\n"
     "                          local\n"
     "  --course ID             all go there; default: where they were\n"
     "  --texts FILE|table:NAME v1: the messages of the sessions\n"
     "  --dry-run               says all of it, and keeps nothing\n"
     "  --json                  one JSON object a line, as things happen\n"
     "  -q, --quiet             no progress, no list of sessions\n"
     "  --tenant NAME           default: default\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"impact", verb_impact, "which answers change when a document goes",
     "  footnote impact lecture-4           before it is deleted or replaced\n"
     "  footnote impact lecture-4 --course physics --user ada --json\n"
     "\n"
     "Answers keep their words; what changes is what their sources say of\n"
     "the document: \"deleted\", or \"changed\" once it has a new version.\n"
     "Owner and editors of its course are told all counts, others those of\n"
     "their own answers; answers are listed to whom they belong.  Works on\n"
     "the database, whether a server is running or not.\n"
     "\n"
     "  --course ID             in which course, when several use the id\n"
     "  --user NAME             as whom; default: local\n"
     "  --tenant NAME           default: default\n"
     "  --limit N               answers that are listed; default: 20\n"
     "  --json                  one JSON object, as over HTTP\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"search", verb_search, "find passages in a course",
     "  footnote search \"why does entropy grow\" --course physics\n"
     "  footnote search entropy --course physics --document lecture-4\n"
     "\n"
     "Works on the database, whether a server is running or not.\n"
     "\n"
     "  --course NAME           its id or title; default: all of the user's\n"
     "  --document ID,ID        in these documents alone; --kind slides,lecture,\n"
     "                          journal,page,text: in these kinds; --from DAY\n"
     "                          and --to DAY: in what is dated in between;\n"
     "                          --changed-since DAY: in what is as new\n"
     "  --user NAME             as whom; default: local\n"
     "  --tenant NAME           default: default\n"
     "  --limit N               at most so many; default: 8\n"
     "  --json                  one JSON object\n"
     "  --data DIR, --database URL, --config FILE   as for serve\n",
     true, false},
    {"eval", verb_eval, "measure search on a judged collection",
     "  footnote eval DIR                   docs.jsonl, queries.jsonl, qrels.tsv\n"
     "  footnote eval DIR --scoped          each question within its scope\n"
     "  footnote eval DIR --history         with the user's turn before\n"
     "  footnote eval DIR --answers         how often the best one and three\n"
     "                                      sentences hold the answer\n"
     "  footnote eval DIR --claims          claims.jsonl, or the answers as\n"
     "                                      claims: how well verdicts tell true\n"
     "                                      ones from others and false copies\n"
     "  footnote eval DIR --confidence      how well it tells questions that the\n"
     "                                      documents answer from others, also\n"
     "                                      from those of --outside DIR\n"
     "\n"
     "Puts the collection into a temporary course and searches it as always;\n"
     "with --embeddings-url and --rerank-url, as for serve, by these as well,\n"
     "and by words and by vectors alone.\n"
     "\n"
     "  --json                  one JSON object\n", true, false},
    {"config", verb_config, "show or check the settings",
     "  footnote config show                as a file of settings\n"
     "  footnote config show --origin       and where each value is from\n"
     "  footnote config check --config footnote.toml\n"
     "\n"
     "check opens what a start would open, and makes nothing.\n"
     "Flag > FOOTNOTE_* > --config FILE > your own file or\n"
     "/etc/footnote/footnote.toml > default.  Secrets are never shown.\n"
     "\n"
     "  --origin                where each value is from\n"
     "  --json                  one JSON object\n", true, true},
    {"doctor", verb_doctor, "look at everything a server rests on",
     "  footnote doctor                     a line each; -> says what mends it\n"
     "  footnote doctor objects pdf         these checks alone\n"
     "  footnote doctor --quick             without reading every row and file\n"
     "  footnote doctor --repair            make again what can be made again\n"
     "  footnote doctor --healthz           is the server up?  For containers\n"
     "\n"
     "Works on the data folder and the database, whether a server is running\n"
     "or not, with the settings of serve.  Looking changes nothing.  --repair\n"
     "makes rows that lead back from sources, counters and index files again,\n"
     "and has damaged passages read in again from their files; nothing else.\n"
     "\n"
     "  settings, disk, clock   what the server stands on\n"
     "  database                the engine's own checks\n"
     "  rows                    every row against its seal and digest\n"
     "  way-back, usage         rows that are made from other rows\n"
     "  objects, storage        files against their rows; write, read, delete\n"
     "  index                   index files against documents\n"
     "  jail, pdf               reading a page and a PDF under their limits\n"
     "  model, embeddings       the first word of each model; a vector\n"
     "  jwks, public-url        keys of tokens; this server, through its proxy\n"
     "\n"
     "Exit code: 8 damaged, else 7 wrong settings, else 5 database or server\n"
     "not reachable, else 1 something failed, else 0, also with warnings.\n"
     "With --healthz: 0 up, 1 not.\n"
     "\n"
     "  --quick, --repair       as above\n"
     "  --healthz               ask only the server at --listen\n"
     "  --json                  one JSON object\n"
     "  --data DIR, --config FILE and all other settings   as for serve\n",
     true, false},
    {"version", verb_version, "what this is",
     "  footnote version\n"
     "  footnote version --json             version, commit, schema\n",
     false, false},
    {"completion", verb_completion, "what a shell completes words with",
     "  footnote completion bash >/etc/bash_completion.d/footnote\n"
     "  footnote completion zsh >/usr/share/zsh/vendor-completions/_footnote\n"
     "  footnote completion fish >~/.config/fish/completions/footnote.fish\n",
     false, false},
    {"help", verb_help, "this list, or help for a verb",
     "  footnote help serve\n"
     "  footnote help --man serve | man -l -   as a manual page\n"
     "  footnote help --man footnote.toml      the page of the settings\n"
     "  footnote help --toml                   a file of all settings\n"
     "\n"
     "  --man                   a manual page: footnote(1), of a verb, or of\n"
     "                          the file of settings\n"
     "  --toml                  a file of settings, all of them as comments\n"
     "  --schema                JSON Schema of that file\n"
     "  --table, --verbs        the settings, or the verbs, in Markdown\n",
     false, false},
};
// clang-format on

const size_t cli_verbs_n = sizeof(cli_verbs) / sizeof(cli_verbs[0]);

const struct verb *cli_find_verb(struct str name)
{
    for (size_t i = 0; i < cli_verbs_n; i++)
        if (str_eq(str_c(cli_verbs[i].name), name))
            return &cli_verbs[i];
    return NULL;
}
