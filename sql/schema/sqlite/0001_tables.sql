-- 0001 tables: who asks, what was read, what was said, and what it rests on.
--
-- The tenant is the first column of every key, so that the same tables can be
-- distributed by it on PostgreSQL.  In other indexes it comes later, or a
-- planner that knows nothing of the table yet might take one of them for a
-- key.  Inside, keys are integers that the server hands out from
-- tenant.last_key; `id` is always the public one.  Times are milliseconds since
-- 1970 UTC.  Long texts are the last columns of their table: on SQLite, what
-- stands behind one is on overflow pages.  Kinds, types and roles have no
-- CHECK, because SQLite cannot change one later.  docs/schema.md explains each
-- table.

-- ---- The store ----------------------------------------------------------

-- Which store this is.  One row, made with the tables: 32 hex digits that no
-- other store has.  A copy that is used beside its original gets new ones.
CREATE TABLE store_identity (
    one        INTEGER PRIMARY KEY CHECK (one = 1),
    created_ms INTEGER NOT NULL,
    probed_ms  INTEGER NOT NULL DEFAULT 0,
    id         TEXT    NOT NULL CHECK (length(id) = 32)
) STRICT;
INSERT INTO store_identity (one, created_ms, id)
VALUES (1, CAST(strftime('%s', 'now') AS INTEGER) * 1000,
        lower(hex(randomblob(16))));

-- ---- Who ----------------------------------------------------------------

CREATE TABLE tenant (
    tenant       INTEGER PRIMARY KEY,
    last_key     INTEGER NOT NULL DEFAULT 0,
    -- Counts every change to a document: cached states hold while it stands.
    docs_version INTEGER NOT NULL DEFAULT 0,
    seal         INTEGER NOT NULL DEFAULT 0,
    name         TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE account (
    tenant  INTEGER NOT NULL REFERENCES tenant (tenant),
    account INTEGER NOT NULL,
    seal    INTEGER NOT NULL DEFAULT 0,
    name    TEXT    NOT NULL,
    PRIMARY KEY (tenant, account),
    UNIQUE (tenant, name)
) STRICT, WITHOUT ROWID;

-- How much an account keeps here, changed in the transaction that changes it.
-- `bytes` goes down with what is deleted; the sources that an account brought
-- are shared and stay.
CREATE TABLE account_usage (
    tenant       INTEGER NOT NULL,
    account      INTEGER NOT NULL,
    bytes        INTEGER NOT NULL,
    source_bytes INTEGER NOT NULL,
    documents    INTEGER NOT NULL,
    sessions     INTEGER NOT NULL,
    PRIMARY KEY (tenant, account)
) STRICT, WITHOUT ROWID;

-- API keys, which programs and browsers sign in with.  Of a key only the
-- digest is kept: nobody can sign in with what this table holds.  The prefix is
-- the public part of a key; a request brings no tenant, so it is the whole
-- primary key.  A revoked key keeps its row for the list.
CREATE TABLE api_key (
    prefix        TEXT    NOT NULL PRIMARY KEY,
    created_ms    INTEGER NOT NULL,
    revoked_ms    INTEGER,
    expires_ms    INTEGER, -- NULL: never
    first_used_ms INTEGER,
    last_used_ms  INTEGER, -- some minutes coarse
    admin         INTEGER NOT NULL CHECK (admin IN (0, 1)),
    seal          INTEGER NOT NULL DEFAULT 0,
    digest        BLOB    NOT NULL CHECK (length(digest) = 32),
    tenant_name   TEXT    NOT NULL,
    user_name     TEXT    NOT NULL,
    label         TEXT,
    scope         TEXT -- what it is confined to; NULL: nothing
) STRICT, WITHOUT ROWID;

-- Browsers that are signed in.  The cookie names the row by its id, and holds a
-- secret of which only the digest is here.
CREATE TABLE login (
    id          TEXT    NOT NULL PRIMARY KEY,
    created_ms  INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL,
    seen_ms     INTEGER NOT NULL, -- a minute coarse
    revoked_ms  INTEGER,
    seal        INTEGER NOT NULL DEFAULT 0,
    digest      BLOB    NOT NULL CHECK (length(digest) = 32),
    admin       INTEGER, -- 1: the provider said so when it was made
    method      TEXT    NOT NULL, -- key, jwt, oidc
    tenant_name TEXT    NOT NULL,
    user_name   TEXT    NOT NULL,
    key_prefix  TEXT, -- of the key that it was made with
    agent       TEXT  -- what the browser called itself
) STRICT, WITHOUT ROWID;
CREATE INDEX login_by_user ON login (user_name, tenant_name, id);
CREATE INDEX login_by_expiry ON login (expires_ms);

-- Frozen copies of conversations that a link opens.  The link holds a secret of
-- which only the digest is here; what it shows is read anew each time.
CREATE TABLE share (
    id          TEXT    NOT NULL PRIMARY KEY,
    created_ms  INTEGER NOT NULL,
    expires_ms  INTEGER NOT NULL,
    revoked_ms  INTEGER,
    single      INTEGER NOT NULL, -- 1: one answer and its question
    files       INTEGER NOT NULL, -- 1: the files that it cites, too
    seal        INTEGER NOT NULL DEFAULT 0,
    digest      BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    tenant_name TEXT    NOT NULL,
    user_name   TEXT    NOT NULL,
    session     TEXT    NOT NULL, -- public id
    message     TEXT    NOT NULL  -- public id of the last that is shown
) STRICT, WITHOUT ROWID;
CREATE INDEX share_by_user ON share (user_name, tenant_name, id);
CREATE INDEX share_by_expiry ON share (expires_ms);

-- Who did what that others should be able to ask about later.  Ids ascend, so
-- rows lie in the order of time.
CREATE TABLE audit (
    tenant     INTEGER NOT NULL,
    account    INTEGER NOT NULL, -- who did it
    at_ms      INTEGER NOT NULL,
    seal       INTEGER NOT NULL DEFAULT 0,
    id         TEXT    NOT NULL,
    action     TEXT    NOT NULL,
    about      TEXT, -- public id of what it was done to
    key_prefix TEXT, -- of the key that it was done with
    address    TEXT, -- where the request came from; goes after 90 days
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_account ON audit (account, tenant, id);
CREATE INDEX audit_by_action ON audit (action, tenant, id);
CREATE INDEX audit_with_address ON audit (at_ms) WHERE address IS NOT NULL;

-- ---- What can be read ---------------------------------------------------

-- A deleted course keeps its row, so that its id is not used again and old
-- citations can say what became of their document.
CREATE TABLE course (
    tenant     INTEGER NOT NULL,
    course     INTEGER NOT NULL,
    owner      INTEGER NOT NULL,
    version    INTEGER NOT NULL DEFAULT 1,
    -- Counts every change to what can be searched in it.
    index_version INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    deleted_ms INTEGER,
    seal       INTEGER NOT NULL DEFAULT 0,
    id         TEXT    NOT NULL,
    title      TEXT,
    insights   INTEGER, -- 1: its editors see what is asked, without names
    archived_ms INTEGER, -- kept aside: it is in no list but its own
    description TEXT,
    PRIMARY KEY (tenant, course),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
) STRICT;

-- account 0 is "*": everybody in the tenant.
CREATE TABLE course_member (
    tenant  INTEGER NOT NULL,
    course  INTEGER NOT NULL,
    account INTEGER NOT NULL,
    role    INTEGER NOT NULL, -- 1 reader, 2 editor
    origin  INTEGER, -- NULL: a person; 1: groups, at the last sign-in
    seal    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, course, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
) STRICT, WITHOUT ROWID;
CREATE INDEX course_member_by_account ON course_member (account, tenant);

CREATE TABLE document (
    tenant             INTEGER NOT NULL,
    document           INTEGER NOT NULL,
    course             INTEGER NOT NULL,
    account            INTEGER NOT NULL, -- who brought it
    kind               INTEGER NOT NULL, -- 1 slides, 2 lecture, 3 journal, ...
    status             INTEGER NOT NULL, -- of the newest version, as is error
    version            INTEGER NOT NULL DEFAULT 1,
    searchable_version INTEGER NOT NULL DEFAULT 0,
    redacted           INTEGER NOT NULL DEFAULT 0,
    created_ms         INTEGER NOT NULL,
    deleted_ms         INTEGER,
    emptying           INTEGER NOT NULL DEFAULT 0, -- deleted, and still has passages
    -- How far reading it in is.
    unit               INTEGER NOT NULL DEFAULT 0, -- none, pages, seconds, bytes
    done               INTEGER NOT NULL DEFAULT 0,
    total              INTEGER NOT NULL DEFAULT 0,
    seal               INTEGER NOT NULL DEFAULT 0,
    id                 TEXT    NOT NULL,
    date               TEXT, -- of a journal entry
    title              TEXT,
    url                TEXT, -- of a web page
    error              TEXT,
    error_code         TEXT, -- why, for a program
    PRIMARY KEY (tenant, document),
    UNIQUE (tenant, course, id),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
) STRICT;
CREATE INDEX document_by_course ON document (course, tenant);
CREATE INDEX document_emptying ON document (emptying, tenant, document)
    WHERE emptying > 0;
-- Several courses may use an id.
CREATE INDEX document_by_id ON document (id, tenant);
-- A journal entry is found by its date and title.
CREATE INDEX document_by_date ON document (course, date, tenant)
    WHERE date IS NOT NULL;

CREATE TABLE document_version (
    tenant         INTEGER NOT NULL,
    document       INTEGER NOT NULL,
    version        INTEGER NOT NULL,
    account        INTEGER NOT NULL, -- who brought it
    created_ms     INTEGER NOT NULL,
    bytes          INTEGER,
    pages          INTEGER,
    seconds        REAL,
    seal           INTEGER NOT NULL DEFAULT 0,
    digest         BLOB    NOT NULL CHECK (length(digest) = 32),
    filename       TEXT,
    media_type     TEXT,
    object_key     TEXT,
    language       TEXT,
    warning        TEXT,
    -- The recording beside a transcript: an object of ours, or a URL.
    recording_key  TEXT,
    recording_url  TEXT,
    recording_name TEXT,
    recording_type TEXT,
    layout         INTEGER, -- of the pages of a PDF: 1 wide, 2 tall
    page_labels    TEXT,    -- JSON: what is printed on them
    encoding       TEXT,    -- that its text was read in
    PRIMARY KEY (tenant, document, version),
    FOREIGN KEY (tenant, document) REFERENCES document (tenant, document)
) STRICT;
-- The same bytes again are the same document.
CREATE INDEX document_version_by_digest ON document_version (digest, tenant);

CREATE TABLE passage (
    tenant        INTEGER NOT NULL,
    document      INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    position      INTEGER NOT NULL, -- from 1
    page          INTEGER,
    start_seconds REAL,
    end_seconds   REAL,
    seal          INTEGER NOT NULL DEFAULT 0,
    heading       TEXT,
    locator       TEXT, -- where in its text: Prices!B2:D9
    extra         TEXT, -- JSON: what else there is to say of it
    boxes         BLOB, -- where it stands on the page of its PDF
    text          TEXT    NOT NULL,
    PRIMARY KEY (tenant, document, version, position),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
) STRICT;

-- Only there when a model of embeddings is configured.  `vector` is floats of
-- four bytes, lowest byte first, of length one; all zero when the model gives
-- none of this passage.
CREATE TABLE passage_vector (
    tenant   INTEGER NOT NULL,
    document INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    seal     INTEGER NOT NULL DEFAULT 0,
    model    TEXT    NOT NULL,
    vector   BLOB    NOT NULL CHECK (length(vector) > 0),
    PRIMARY KEY (tenant, document, version, position, model),
    FOREIGN KEY (tenant, document, version, position)
        REFERENCES passage (tenant, document, version, position)
        ON DELETE CASCADE
) STRICT;

-- Which node makes the vectors of a course just now.
CREATE TABLE vector_turn (
    tenant   INTEGER NOT NULL,
    course   INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    model    TEXT NOT NULL,
    holder   TEXT NOT NULL,
    PRIMARY KEY (tenant, course, model)
) STRICT;

-- A file.  Its row is there from the commit that first names the object until
-- its bytes are gone, so garbage can be found from either side.
CREATE TABLE object (
    tenant     INTEGER NOT NULL,
    account    INTEGER NOT NULL, -- who brought it
    bytes      INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    deleted_ms INTEGER, -- no row names it since then
    object_key TEXT    NOT NULL,
    digest     BLOB    NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant, object_key)
) STRICT;
CREATE INDEX object_by_key ON object (object_key, tenant);
CREATE INDEX object_by_deletion ON object (deleted_ms, tenant)
    WHERE deleted_ms IS NOT NULL;

-- A document that waits to be read in, or is being read; the row goes when
-- that ends.  node and until_ms: who reads it in, and until when that holds; a
-- step names the epoch, so one whose job was taken over finds no row.
CREATE TABLE ingest_job (
    tenant     INTEGER NOT NULL,
    document   INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    account    INTEGER NOT NULL, -- that brought it; 0: nobody did
    round      INTEGER NOT NULL, -- each account has one job in a round
    attempts   INTEGER NOT NULL DEFAULT 0,
    created_ms INTEGER NOT NULL,
    epoch      INTEGER NOT NULL DEFAULT 0,
    until_ms   INTEGER,
    node       TEXT, -- NULL: it waits
    -- Where reading can go on: pages done, passages so far, pages without text.
    pages      INTEGER NOT NULL DEFAULT 0,
    position   INTEGER NOT NULL DEFAULT 0,
    blank      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, document),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX ingest_job_by_round ON ingest_job (round, created_ms)
    WHERE node IS NULL;
CREATE INDEX ingest_job_by_account ON ingest_job (account, tenant, round);
CREATE INDEX ingest_job_by_node ON ingest_job (node) WHERE node IS NOT NULL;

-- A page picture that came, or may come, with a question.  It belongs to the
-- account that brought it.  `label` is what clients know it by; it names one
-- picture for ever, so a second picture of a page gets another label.
CREATE TABLE snapshot (
    tenant     INTEGER NOT NULL,
    owner      INTEGER NOT NULL,
    course     INTEGER NOT NULL,
    page       INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    seal       INTEGER NOT NULL DEFAULT 0,
    label      TEXT    NOT NULL, -- snapshots/{slide}/page-{n}.png
    slide      TEXT    NOT NULL,
    media_type TEXT    NOT NULL,
    object_key TEXT    NOT NULL,
    PRIMARY KEY (tenant, owner, label),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
) STRICT, WITHOUT ROWID;
CREATE INDEX snapshot_by_page ON snapshot (slide, page, owner, tenant);
CREATE INDEX snapshot_by_course ON snapshot (course, tenant);
CREATE INDEX snapshot_by_object ON snapshot (object_key, tenant);

-- ---- What was said ------------------------------------------------------

-- A deleted session keeps its row without title and course: its id is not used
-- again.
CREATE TABLE session (
    tenant     INTEGER NOT NULL,
    session    INTEGER NOT NULL,
    owner      INTEGER NOT NULL,
    course     INTEGER,
    last_seq   INTEGER NOT NULL DEFAULT 0,
    version    INTEGER NOT NULL DEFAULT 1,
    created_ms INTEGER NOT NULL,
    active_ms  INTEGER NOT NULL,
    deleted_ms INTEGER,
    seal       INTEGER NOT NULL DEFAULT 0,
    id         TEXT    NOT NULL,
    title      TEXT,
    PRIMARY KEY (tenant, session),
    UNIQUE (tenant, owner, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
) STRICT;
CREATE INDEX session_by_activity
    ON session (owner, tenant, active_ms, session) WHERE deleted_ms IS NULL;
CREATE INDEX session_by_course
    ON session (course, tenant, active_ms)
    WHERE course IS NOT NULL AND deleted_ms IS NULL;

-- content NULL: sources came before their message, or the answer is running.
-- saved_digest is that of the request that saved it: a repeat is recognised by
-- it even after sources were added.  refs is what [n] means here, all of it:
-- docs/schema.md has the form.  Messages are a tree: one path through it is
-- shown, and `shown` says which.
CREATE TABLE message (
    -- tenant << 48 | session << 20 | seq: rows lie in the order of this key, so
    -- that a session's history is a dozen pages, not one for each message.
    place          INTEGER PRIMARY KEY,
    tenant         INTEGER NOT NULL,
    session        INTEGER NOT NULL,
    seq            INTEGER NOT NULL,
    owner          INTEGER NOT NULL,
    created_ms     INTEGER NOT NULL,
    role           INTEGER NOT NULL, -- 1 user, 2 assistant, 3 system
    status         INTEGER NOT NULL, -- sql/values.sql has their names
    low_confidence INTEGER,
    parent         INTEGER NOT NULL DEFAULT 0, -- seq of the message before it; 0: none
    shown          INTEGER NOT NULL DEFAULT 1, -- sql/values.sql has their names
    late_from      INTEGER, -- first source that came after text had begun
    image_page     INTEGER,
    tokens_in      INTEGER,
    tokens_out     INTEGER,
    seal           INTEGER NOT NULL DEFAULT 0,
    id             TEXT    NOT NULL,
    digest         BLOB,
    saved_digest   BLOB,
    model          TEXT,
    failure        TEXT,
    image_s3key    TEXT,
    image_slide    TEXT,
    doc_refs       TEXT, -- JSON array of strings, as are the next two
    rag_source_ids TEXT,
    web_source_ids TEXT,
    scope          TEXT, -- of a question: what it is limited to, as JSON
    feedback       TEXT, -- JSON: docs/schema.md has the form
    refs           BLOB,
    content        TEXT,
    UNIQUE (tenant, session, seq),
    UNIQUE (tenant, id, owner) -- ids of ours ascend: one page is hot
) STRICT;
-- Whether a session has more than the path that is shown.
CREATE INDEX message_hidden ON message (session, tenant) WHERE shown <> 1;
-- Which messages still name a picture.
CREATE INDEX message_by_image ON message (image_s3key, owner, tenant)
    WHERE image_s3key IS NOT NULL;

-- Who may write a running answer.  A write names the epoch; a holder whose
-- lease was taken over finds no row with its own.
CREATE TABLE answer_lease (
    tenant       INTEGER NOT NULL,
    session      INTEGER NOT NULL,
    seq          INTEGER NOT NULL,
    numbers_from INTEGER NOT NULL DEFAULT 1, -- its first source gets this one
    parts        INTEGER NOT NULL DEFAULT 0, -- pieces that are in answer_text
    epoch        INTEGER NOT NULL,
    until_ms     INTEGER NOT NULL,
    node         TEXT    NOT NULL,
    PRIMARY KEY (tenant, session) -- one answer runs at a time
) STRICT, WITHOUT ROWID;

-- The text of running answers.  Blobs: a part may end inside a character.
CREATE TABLE answer_text (
    tenant  INTEGER NOT NULL,
    session INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    part    INTEGER NOT NULL,
    seal    INTEGER NOT NULL DEFAULT 0,
    text    BLOB    NOT NULL,
    PRIMARY KEY (tenant, session, seq, part)
) STRICT, WITHOUT ROWID;

-- The newest words of all answers that a process writes.  A row holds what one
-- commit brought, for any number of answers: thousands of them get a few words
-- a second each, and in rows of their own these are a page of the log each.
-- The words of an answer move on to answer_text half a kilobyte at a time;
-- answer_lease.parts says how far.
CREATE TABLE answer_word_log (
    at     INTEGER PRIMARY KEY,
    node   TEXT NOT NULL,
    pieces BLOB NOT NULL -- of (epoch, part, text): see docs/schema.md
) STRICT;

-- ---- What it rests on ---------------------------------------------------

-- Insert-only, binding and redaction excepted.  `pool` is the course's key, or
-- the account's for a session without one.  digest covers every shown field.
-- document and version are what the saver cited and could read; 0: nothing
-- that is kept here, whatever comes later with the same id.
CREATE TABLE source (
    tenant        INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    pool          INTEGER NOT NULL,
    document      INTEGER NOT NULL DEFAULT 0,
    version       INTEGER NOT NULL DEFAULT 0,
    source_type   INTEGER NOT NULL, -- 1 text, 2 slide, 3 lecture, ...
    redacted      INTEGER NOT NULL DEFAULT 0,
    slide_number  INTEGER,
    part          INTEGER,
    start_seconds REAL,
    end_seconds   REAL,
    seal          INTEGER NOT NULL DEFAULT 0,
    digest        BLOB    NOT NULL CHECK (length(digest) = 32),
    source_key    TEXT    NOT NULL,
    source_id     TEXT, -- NULL: its key
    course_id     TEXT,
    owner_id      TEXT,
    document_id   TEXT,
    lecture_id    TEXT,
    date          TEXT,
    title         TEXT,
    url           TEXT,
    s3key         TEXT,
    meta          TEXT,
    locator       TEXT,
    preview       TEXT,
    PRIMARY KEY (tenant, source),
    UNIQUE (tenant, pool, digest, document, version)
) STRICT;
CREATE INDEX source_by_document ON source (document, tenant, source)
    WHERE document > 0;
-- Those that may still be bound, by what they name.
CREATE INDEX source_unbound
    ON source ((coalesce(document_id, lecture_id)), pool, tenant)
    WHERE document = 0;

-- The way back, from a source to the messages that refer to it.  The source
-- comes before the tenant, or a planner takes all that the tenant has for a
-- good beginning.  No foreign keys: see docs/adr.
CREATE TABLE source_reference (
    source  INTEGER NOT NULL,
    tenant  INTEGER NOT NULL,
    session INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    cited   INTEGER NOT NULL, -- 0: it was only read
    PRIMARY KEY (source, tenant, session, seq, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE retrieval_event (
    tenant         INTEGER NOT NULL,
    session        INTEGER NOT NULL,
    event          INTEGER NOT NULL, -- from 1 within the session
    seq            INTEGER NOT NULL, -- the user's message
    answer         INTEGER,          -- seq of the answer; NULL: a caller's own
    created_ms     INTEGER NOT NULL,
    kind           INTEGER NOT NULL, -- 1 documents, 2 web
    low_confidence INTEGER,
    seal           INTEGER NOT NULL DEFAULT 0,
    id             TEXT    NOT NULL,
    numbers        TEXT    NOT NULL, -- JSON array: its sources' numbers
    -- JSON array beside it: the share of the question that each passage has.
    coverage       TEXT,
    query          TEXT    NOT NULL,
    PRIMARY KEY (tenant, session, event)
) STRICT;

-- Whether the sources carry the sentences of an answer, by one judge: the words
-- themselves ("text"), or a model by its name.  Append-only; `digest` names the
-- message as it was judged, so that a record of an earlier form is not shown.
CREATE TABLE verdict (
    tenant     INTEGER NOT NULL,
    session    INTEGER NOT NULL,
    seq        INTEGER NOT NULL,
    record     INTEGER NOT NULL, -- from 1 within the message
    created_ms INTEGER NOT NULL,
    seal       INTEGER NOT NULL DEFAULT 0,
    judge      TEXT    NOT NULL,
    digest     BLOB    NOT NULL CHECK (length(digest) = 32),
    sentences  TEXT    NOT NULL, -- JSON: docs/schema.md has the form
    -- How many sentences there are, are carried, and are contradicted or not
    -- found: counts need not read them.
    judged      INTEGER NOT NULL DEFAULT 0,
    carried     INTEGER NOT NULL DEFAULT 0,
    unsupported INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, session, seq, record)
) STRICT;

-- ---- Bookkeeping --------------------------------------------------------

CREATE TABLE idempotency_key (
    tenant     INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    status     INTEGER, -- NULL: the first request is still at work
    scope      TEXT    NOT NULL, -- the session's id, or ''
    key        TEXT    NOT NULL,
    request    BLOB    NOT NULL CHECK (length(request) = 32),
    response   BLOB,
    PRIMARY KEY (tenant, account, scope, key)
) STRICT;
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_ms, tenant);

-- Nodes that have names (--node-name).  life: the process that lives under it,
-- as in answer_lease; until_ms: until when it counts as alive.
CREATE TABLE node (
    until_ms INTEGER NOT NULL,
    name     TEXT    NOT NULL,
    life     TEXT    NOT NULL,
    PRIMARY KEY (name)
) STRICT;

-- For people with SQL: one flat row per citation, public ids only.
CREATE VIEW message_sources AS
SELECT r.session || '/' || r.seq || '/' || r.number AS id,
       t.name                                       AS tenant,
       m.id                                         AS message_id,
       s.id                                         AS session_id,
       coalesce(c.source_id, c.source_key)          AS source_id,
       CASE c.source_type
           WHEN 1 THEN 'text' WHEN 2 THEN 'slide' WHEN 3 THEN 'lecture'
           WHEN 4 THEN 'journal' WHEN 5 THEN 'web' ELSE 'image'
       END                                          AS source_type,
       r.number                                     AS chunk_number,
       c.preview                                    AS content_preview,
       c.document_id                                AS document_id,
       c.slide_number                               AS slide_number,
       c.lecture_id                                 AS lecture_id,
       c.start_seconds                              AS start_seconds,
       c.end_seconds                                AS end_seconds,
       c.course_id                                  AS course_id,
       c.owner_id                                   AS owner_id,
       c.title                                      AS title,
       strftime('%Y-%m-%dT%H:%M:%fZ', m.created_ms / 1000.0, 'unixepoch')
                                                    AS created_at,
       r.cited = 1                                  AS cited
FROM source_reference r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN source c ON c.tenant = r.tenant AND c.source = r.source
JOIN tenant t ON t.tenant = r.tenant;
