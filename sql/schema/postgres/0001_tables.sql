-- 0001 tables: who asks, what was read, what was said, and what it rests on.
-- The same tables as ../sqlite/0001_tables.sql, in schema footnote.
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
    one        smallint PRIMARY KEY CHECK (one = 1),
    created_ms bigint   NOT NULL,
    probed_ms  bigint   NOT NULL DEFAULT 0,
    id         text     COLLATE "C" NOT NULL CHECK (length(id) = 32)
);
INSERT INTO store_identity (one, created_ms, id)
VALUES (1, CAST(extract(epoch FROM now()) * 1000 AS bigint),
        replace(CAST(gen_random_uuid() AS text), '-', ''));

-- ---- Who ----------------------------------------------------------------

CREATE TABLE tenant (
    tenant       integer  PRIMARY KEY,
    last_key     integer  NOT NULL DEFAULT 0,
    -- Counts every change to a document: cached states hold while it stands.
    docs_version bigint   NOT NULL DEFAULT 0,
    seal         bigint   NOT NULL DEFAULT 0,
    name         text     NOT NULL UNIQUE
);

CREATE TABLE account (
    tenant  integer  NOT NULL REFERENCES tenant (tenant),
    account integer  NOT NULL,
    seal    bigint   NOT NULL DEFAULT 0,
    name    text     NOT NULL,
    PRIMARY KEY (tenant, account),
    UNIQUE (tenant, name)
);

-- How much an account keeps here, changed in the transaction that changes it.
-- `bytes` goes down with what is deleted; the sources that an account brought
-- are shared and stay.  Half of each page is left free for the next versions of
-- its rows.
CREATE TABLE account_usage (
    tenant       integer  NOT NULL,
    account      integer  NOT NULL,
    bytes        bigint   NOT NULL,
    source_bytes bigint   NOT NULL,
    documents    bigint   NOT NULL,
    sessions     bigint   NOT NULL,
    PRIMARY KEY (tenant, account)
) WITH (fillfactor = 50);

-- API keys, which programs and browsers sign in with.  Of a key only the
-- digest is kept: nobody can sign in with what this table holds.  The prefix is
-- the public part of a key; a request brings no tenant, so it is the whole
-- primary key.  A revoked key keeps its row for the list.
CREATE TABLE api_key (
    prefix        text     COLLATE "C" NOT NULL PRIMARY KEY,
    created_ms    bigint   NOT NULL,
    revoked_ms    bigint,
    expires_ms    bigint, -- NULL: never
    first_used_ms bigint,
    last_used_ms  bigint, -- some minutes coarse
    admin         smallint NOT NULL CHECK (admin IN (0, 1)),
    seal          bigint   NOT NULL DEFAULT 0,
    digest        bytea    NOT NULL CHECK (length(digest) = 32),
    tenant_name   text     NOT NULL,
    user_name     text     NOT NULL,
    label         text,
    scope         text -- what it is confined to; NULL: nothing
);

-- Browsers that are signed in.  The cookie names the row by its id, and holds a
-- secret of which only the digest is here.
CREATE TABLE login (
    id          text   COLLATE "C" NOT NULL PRIMARY KEY,
    created_ms  bigint NOT NULL,
    expires_ms  bigint NOT NULL,
    seen_ms     bigint NOT NULL, -- a minute coarse
    revoked_ms  bigint,
    seal        bigint NOT NULL DEFAULT 0,
    digest      bytea  NOT NULL CHECK (length(digest) = 32),
    admin       smallint, -- 1: the provider said so when it was made
    method      text   NOT NULL, -- key, jwt, oidc
    tenant_name text   NOT NULL,
    user_name   text   NOT NULL,
    key_prefix  text, -- of the key that it was made with
    agent       text  -- what the browser called itself
);
CREATE INDEX login_by_user ON login (user_name, tenant_name, id);
CREATE INDEX login_by_expiry ON login (expires_ms);

-- Frozen copies of conversations that a link opens.  The link holds a secret of
-- which only the digest is here; what it shows is read anew each time.
CREATE TABLE share (
    id          text   COLLATE "C" NOT NULL PRIMARY KEY,
    created_ms  bigint NOT NULL,
    expires_ms  bigint NOT NULL,
    revoked_ms  bigint,
    single      bigint NOT NULL, -- 1: one answer and its question
    files       bigint NOT NULL, -- 1: the files that it cites, too
    seal        bigint NOT NULL DEFAULT 0,
    digest      bytea  NOT NULL UNIQUE CHECK (length(digest) = 32),
    tenant_name text   NOT NULL,
    user_name   text   NOT NULL,
    session     text   NOT NULL, -- public id
    message     text   NOT NULL  -- public id of the last that is shown
);
CREATE INDEX share_by_user ON share (user_name, tenant_name, id);
CREATE INDEX share_by_expiry ON share (expires_ms);

-- Who did what that others should be able to ask about later.  Ids ascend, so
-- rows lie in the order of time.
CREATE TABLE audit (
    tenant     integer NOT NULL,
    account    integer NOT NULL, -- who did it
    at_ms      bigint  NOT NULL,
    seal       bigint  NOT NULL DEFAULT 0,
    id         text    COLLATE "C" NOT NULL,
    action     text    COLLATE "C" NOT NULL,
    about      text, -- public id of what it was done to
    key_prefix text, -- of the key that it was done with
    address    text, -- where the request came from; goes after 90 days
    PRIMARY KEY (tenant, id)
);
CREATE INDEX audit_by_account ON audit (account, tenant, id);
CREATE INDEX audit_by_action ON audit (action, tenant, id);
CREATE INDEX audit_with_address ON audit (at_ms) WHERE address IS NOT NULL;

-- ---- What can be read ---------------------------------------------------

-- A deleted course keeps its row, so that its id is not used again and old
-- citations can say what became of their document.
CREATE TABLE course (
    tenant     integer  NOT NULL,
    course     integer  NOT NULL,
    owner      integer  NOT NULL,
    version    integer  NOT NULL DEFAULT 1,
    -- Counts every change to what can be searched in it.
    index_version bigint NOT NULL DEFAULT 0,
    created_ms bigint   NOT NULL,
    deleted_ms bigint,
    seal       bigint NOT NULL DEFAULT 0,
    id         text     NOT NULL,
    title      text,
    insights   smallint, -- 1: its editors see what is asked, without names
    archived_ms bigint, -- kept aside: it is in no list but its own
    description text,
    PRIMARY KEY (tenant, course),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
);

-- account 0 is "*": everybody in the tenant.
CREATE TABLE course_member (
    tenant  integer  NOT NULL,
    course  integer  NOT NULL,
    account integer  NOT NULL,
    role    smallint NOT NULL, -- 1 reader, 2 editor
    origin  smallint, -- NULL: a person; 1: groups, at the last sign-in
    seal    bigint   NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, course, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
);
CREATE INDEX course_member_by_account ON course_member (account, tenant);

CREATE TABLE document (
    tenant             integer  NOT NULL,
    document           integer  NOT NULL,
    course             integer  NOT NULL,
    account            integer  NOT NULL, -- who brought it
    kind               smallint NOT NULL, -- 1 slides, 2 lecture, 3 journal, ...
    status             smallint NOT NULL, -- of the newest version, as is error
    version            integer  NOT NULL DEFAULT 1,
    searchable_version integer  NOT NULL DEFAULT 0,
    redacted           smallint NOT NULL DEFAULT 0,
    created_ms         bigint   NOT NULL,
    deleted_ms         bigint,
    emptying           smallint NOT NULL DEFAULT 0, -- deleted, and still has passages
    -- How far reading it in is.
    unit               smallint NOT NULL DEFAULT 0, -- none, pages, seconds, bytes
    done               bigint   NOT NULL DEFAULT 0,
    total              bigint   NOT NULL DEFAULT 0,
    seal               bigint   NOT NULL DEFAULT 0,
    id                 text     NOT NULL,
    date               text, -- of a journal entry
    title              text,
    url                text, -- of a web page
    error              text,
    error_code         text, -- why, for a program
    PRIMARY KEY (tenant, document),
    UNIQUE (tenant, course, id),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
);
CREATE INDEX document_by_course ON document (course, tenant);
CREATE INDEX document_emptying ON document (emptying, tenant, document)
    WHERE emptying > 0;
-- Several courses may use an id.
CREATE INDEX document_by_id ON document (id, tenant);
-- A journal entry is found by its date and title.
CREATE INDEX document_by_date ON document (course, date, tenant)
    WHERE date IS NOT NULL;

CREATE TABLE document_version (
    tenant         integer  NOT NULL,
    document       integer  NOT NULL,
    version        integer  NOT NULL,
    account        integer  NOT NULL, -- who brought it
    created_ms     bigint   NOT NULL,
    bytes          bigint,
    pages          integer,
    seconds        double precision,
    seal           bigint NOT NULL DEFAULT 0,
    digest         bytea    NOT NULL CHECK (length(digest) = 32),
    filename       text,
    media_type     text,
    object_key     text,
    language       text,
    warning        text,
    -- The recording beside a transcript: an object of ours, or a URL.
    recording_key  text,
    recording_url  text,
    recording_name text,
    recording_type text,
    layout         smallint, -- of the pages of a PDF: 1 wide, 2 tall
    page_labels    text,     -- JSON: what is printed on them
    encoding       text,     -- that its text was read in
    PRIMARY KEY (tenant, document, version),
    FOREIGN KEY (tenant, document) REFERENCES document (tenant, document)
);
-- The same bytes again are the same document.
CREATE INDEX document_version_by_digest ON document_version (digest, tenant);

CREATE TABLE passage (
    tenant        integer  NOT NULL,
    document      integer  NOT NULL,
    version       integer  NOT NULL,
    position      integer  NOT NULL, -- from 1
    page          integer,
    start_seconds double precision,
    end_seconds   double precision,
    seal          bigint NOT NULL DEFAULT 0,
    heading       text,
    locator       text, -- where in its text: Prices!B2:D9
    extra         text, -- JSON: what else there is to say of it
    boxes         bytea, -- where it stands on the page of its PDF
    text          text     NOT NULL,
    PRIMARY KEY (tenant, document, version, position),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
);

-- Only there when a model of embeddings is configured.  `vector` is floats of
-- four bytes, lowest byte first, of length one; all zero when the model gives
-- none of this passage.
CREATE TABLE passage_vector (
    tenant   integer  NOT NULL,
    document integer  NOT NULL,
    version  integer  NOT NULL,
    position integer  NOT NULL,
    seal     bigint   NOT NULL DEFAULT 0,
    model    text     COLLATE "C" NOT NULL,
    vector   bytea    NOT NULL CHECK (length(vector) > 0),
    PRIMARY KEY (tenant, document, version, position, model),
    FOREIGN KEY (tenant, document, version, position)
        REFERENCES passage (tenant, document, version, position)
        ON DELETE CASCADE
);

-- Which node makes the vectors of a course just now.
CREATE TABLE vector_turn (
    tenant   integer NOT NULL,
    course   integer NOT NULL,
    until_ms bigint  NOT NULL,
    model    text     COLLATE "C" NOT NULL,
    holder   text     COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, course, model)
);

-- A file.  Its row is there from the commit that first names the object until
-- its bytes are gone, so garbage can be found from either side.
CREATE TABLE object (
    tenant     integer  NOT NULL,
    account    integer  NOT NULL, -- who brought it
    bytes      bigint   NOT NULL,
    created_ms bigint   NOT NULL,
    deleted_ms bigint, -- no row names it since then
    object_key text     NOT NULL,
    digest     bytea    NOT NULL CHECK (length(digest) = 32),
    PRIMARY KEY (tenant, object_key)
);
CREATE INDEX object_by_key ON object (object_key, tenant);
CREATE INDEX object_by_deletion ON object (deleted_ms, tenant)
    WHERE deleted_ms IS NOT NULL;

-- A document that waits to be read in, or is being read; the row goes when
-- that ends.  node and until_ms: who reads it in, and until when that holds; a
-- step names the epoch, so one whose job was taken over finds no row.
CREATE TABLE ingest_job (
    tenant     integer  NOT NULL,
    document   integer  NOT NULL,
    version    integer  NOT NULL,
    account    integer  NOT NULL, -- that brought it; 0: nobody did
    round      bigint   NOT NULL, -- each account has one job in a round
    attempts   integer  NOT NULL DEFAULT 0,
    created_ms bigint   NOT NULL,
    epoch      bigint   NOT NULL DEFAULT 0,
    until_ms   bigint,
    node       text, -- NULL: it waits
    -- Where reading can go on: pages done, passages so far, pages without text.
    pages      integer  NOT NULL DEFAULT 0,
    position   integer  NOT NULL DEFAULT 0,
    blank      integer  NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, document),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
);
CREATE INDEX ingest_job_by_round ON ingest_job (round, created_ms)
    WHERE node IS NULL;
CREATE INDEX ingest_job_by_account ON ingest_job (account, tenant, round);
CREATE INDEX ingest_job_by_node ON ingest_job (node) WHERE node IS NOT NULL;

-- A page picture that came, or may come, with a question.  It belongs to the
-- account that brought it.  `label` is what clients know it by; it names one
-- picture for ever, so a second picture of a page gets another label.
CREATE TABLE snapshot (
    tenant     integer  NOT NULL,
    owner      integer  NOT NULL,
    course     integer  NOT NULL,
    page       bigint   NOT NULL,
    created_ms bigint   NOT NULL,
    seal       bigint   NOT NULL DEFAULT 0,
    label      text     NOT NULL, -- snapshots/{slide}/page-{n}.png
    slide      text     NOT NULL,
    media_type text     NOT NULL,
    object_key text     NOT NULL,
    PRIMARY KEY (tenant, owner, label),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
);
CREATE INDEX snapshot_by_page ON snapshot (slide, page, owner, tenant);
CREATE INDEX snapshot_by_course ON snapshot (course, tenant);
CREATE INDEX snapshot_by_object ON snapshot (object_key, tenant);

-- ---- What was said ------------------------------------------------------

-- A deleted session keeps its row without title and course: its id is not used
-- again.
CREATE TABLE session (
    tenant     integer  NOT NULL,
    session    integer  NOT NULL,
    owner      integer  NOT NULL,
    course     integer,
    last_seq   integer  NOT NULL DEFAULT 0,
    version    bigint   NOT NULL DEFAULT 1,
    created_ms bigint   NOT NULL,
    active_ms  bigint   NOT NULL,
    deleted_ms bigint,
    seal       bigint NOT NULL DEFAULT 0,
    id         text     NOT NULL,
    title      text,
    PRIMARY KEY (tenant, session),
    UNIQUE (tenant, owner, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
);
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
    tenant         integer  NOT NULL,
    session        integer  NOT NULL,
    seq            integer  NOT NULL,
    owner          integer  NOT NULL,
    created_ms     bigint   NOT NULL,
    role           smallint NOT NULL, -- 1 user, 2 assistant, 3 system
    status         smallint NOT NULL, -- sql/values.sql has their names
    low_confidence smallint,
    parent         integer  NOT NULL DEFAULT 0, -- seq of the message before it; 0: none
    shown          smallint NOT NULL DEFAULT 1, -- sql/values.sql has their names
    late_from      bigint, -- first source that came after text had begun
    image_page     bigint,
    tokens_in      bigint,
    tokens_out     bigint,
    seal           bigint NOT NULL DEFAULT 0,
    id             text     NOT NULL,
    digest         bytea,
    saved_digest   bytea,
    model          text,
    failure        text,
    image_s3key    text,
    image_slide    text,
    doc_refs       text, -- JSON array of strings, as are the next two
    rag_source_ids text,
    web_source_ids text,
    scope          text, -- of a question: what it is limited to, as JSON
    feedback       text, -- JSON: docs/schema.md has the form
    refs           bytea,
    content        text,
    PRIMARY KEY (tenant, session, seq),
    UNIQUE (tenant, id, owner) -- ids of ours ascend: one page is hot
);
-- Whether a session has more than the path that is shown.
CREATE INDEX message_hidden ON message (session, tenant) WHERE shown <> 1;
-- Which messages still name a picture.
CREATE INDEX message_by_image ON message (image_s3key, owner, tenant)
    WHERE image_s3key IS NOT NULL;

-- Who may write a running answer.  A write names the epoch; a holder whose
-- lease was taken over finds no row with its own.
CREATE TABLE answer_lease (
    tenant       integer  NOT NULL,
    session      integer  NOT NULL,
    seq          integer  NOT NULL,
    numbers_from integer  NOT NULL DEFAULT 1, -- its first source gets this one
    parts        integer  NOT NULL DEFAULT 0, -- pieces that are in answer_text
    epoch        bigint   NOT NULL,
    until_ms     bigint   NOT NULL,
    node         text     NOT NULL,
    PRIMARY KEY (tenant, session) -- one answer runs at a time
);

-- The text of running answers.  Blobs: a part may end inside a character.
CREATE TABLE answer_text (
    tenant  integer  NOT NULL,
    session integer  NOT NULL,
    seq     integer  NOT NULL,
    part    bigint   NOT NULL,
    seal    bigint   NOT NULL DEFAULT 0,
    text    bytea    NOT NULL,
    PRIMARY KEY (tenant, session, seq, part)
);

-- The newest words of all answers that a process writes.  A row holds what one
-- commit brought, for any number of answers: thousands of them get a few words
-- a second each, and in rows of their own these are a page of the log each.
-- The words of an answer move on to answer_text half a kilobyte at a time;
-- answer_lease.parts says how far.
-- Each node numbers its own rows.
CREATE TABLE answer_word_log (
    node   text   NOT NULL,
    at     bigint NOT NULL,
    pieces bytea  NOT NULL, -- of (epoch, part, text): see docs/schema.md
    PRIMARY KEY (node, at)
);

-- ---- What it rests on ---------------------------------------------------

-- Insert-only, binding and redaction excepted.  `pool` is the course's key, or
-- the account's for a session without one.  digest covers every shown field.
-- document and version are what the saver cited and could read; 0: nothing
-- that is kept here, whatever comes later with the same id.
CREATE TABLE source (
    tenant        integer  NOT NULL,
    source        integer  NOT NULL,
    pool          integer  NOT NULL,
    document      integer  NOT NULL DEFAULT 0,
    version       integer  NOT NULL DEFAULT 0,
    source_type   smallint NOT NULL, -- 1 text, 2 slide, 3 lecture, ...
    redacted      smallint NOT NULL DEFAULT 0,
    slide_number  bigint,
    part          bigint,
    start_seconds double precision,
    end_seconds   double precision,
    seal          bigint NOT NULL DEFAULT 0,
    digest        bytea    NOT NULL CHECK (length(digest) = 32),
    source_key    text     NOT NULL,
    source_id     text, -- NULL: its key
    course_id     text,
    owner_id      text,
    document_id   text,
    lecture_id    text,
    date          text,
    title         text,
    url           text,
    s3key         text,
    meta          text,
    locator       text,
    preview       text,
    PRIMARY KEY (tenant, source),
    UNIQUE (tenant, pool, digest, document, version)
);
CREATE INDEX source_by_document ON source (document, tenant, source)
    WHERE document > 0;
-- Those that may still be bound, by what they name.
CREATE INDEX source_unbound
    ON source ((coalesce(document_id, lecture_id)), pool, tenant)
    WHERE document = 0;

-- The way back, from a source to the messages that refer to it.  No key:
-- message.refs has each of them once, and the index is all that is asked for.
-- It has the session, so that one answer's row is found among all those of a
-- source that everybody cites.  No foreign keys: see docs/adr.
CREATE TABLE source_reference (
    source  integer  NOT NULL,
    tenant  integer  NOT NULL,
    session integer  NOT NULL,
    seq     integer  NOT NULL,
    number  integer  NOT NULL,
    cited   smallint NOT NULL -- 0: it was only read
);
CREATE INDEX source_reference_by_source
    ON source_reference (source, tenant, session);

CREATE TABLE retrieval_event (
    tenant         integer  NOT NULL,
    session        integer  NOT NULL,
    event          integer  NOT NULL, -- from 1 within the session
    seq            integer  NOT NULL, -- the user's message
    answer         integer,          -- seq of the answer; NULL: a caller's own
    created_ms     bigint   NOT NULL,
    kind           smallint NOT NULL, -- 1 documents, 2 web
    low_confidence smallint,
    seal           bigint   NOT NULL DEFAULT 0,
    id             text     NOT NULL,
    numbers        text     NOT NULL, -- JSON array: its sources' numbers
    -- JSON array beside it: the share of the question that each passage has.
    coverage       text,
    query          text     NOT NULL,
    PRIMARY KEY (tenant, session, event)
);

-- Whether the sources carry the sentences of an answer, by one judge: the words
-- themselves ("text"), or a model by its name.  Append-only; `digest` names the
-- message as it was judged, so that a record of an earlier form is not shown.
CREATE TABLE verdict (
    tenant     integer NOT NULL,
    session    integer NOT NULL,
    seq        integer NOT NULL,
    record     integer NOT NULL, -- from 1 within the message
    created_ms bigint  NOT NULL,
    seal       bigint  NOT NULL DEFAULT 0,
    judge      text    NOT NULL,
    digest     bytea   NOT NULL CHECK (length(digest) = 32),
    sentences  text    NOT NULL, -- JSON: docs/schema.md has the form
    -- How many sentences there are, are carried, and are contradicted or not
    -- found: counts need not read them.
    judged      integer NOT NULL DEFAULT 0,
    carried     integer NOT NULL DEFAULT 0,
    unsupported integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, session, seq, record)
);

-- ---- Bookkeeping --------------------------------------------------------

CREATE TABLE idempotency_key (
    tenant     integer  NOT NULL,
    account    integer  NOT NULL,
    created_ms bigint   NOT NULL,
    status     smallint, -- NULL: the first request is still at work
    scope      text     NOT NULL, -- the session's id, or ''
    key        text     NOT NULL,
    request    bytea    NOT NULL CHECK (length(request) = 32),
    response   bytea,
    PRIMARY KEY (tenant, account, scope, key)
);
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_ms, tenant);

-- Nodes that have names (--node-name).  life: the process that lives under it,
-- as in answer_lease; until_ms: until when it counts as alive.
CREATE TABLE node (
    until_ms bigint NOT NULL,
    name     text   NOT NULL,
    life     text   NOT NULL,
    PRIMARY KEY (name)
);

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
       to_timestamp(m.created_ms / 1000.0)          AS created_at,
       r.cited = 1                                  AS cited
FROM source_reference r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN source c ON c.tenant = r.tenant AND c.source = r.source
JOIN tenant t ON t.tenant = r.tenant;

-- ---- What the planner is to know from the beginning ---------------------

-- A planner that knows nothing of a table takes `tenant = $1` for one row in
-- 200, and of a small table for one row.  Then every index that holds the
-- tenant looks as good as the key, joins begin anywhere, and what should be a
-- look-up walks over all that the tenant has, for each row of the others.  A
-- minute later the server has analysed the tables and plans well, but by then
-- a new installation has failed its first users.
--
-- So the tenant counts as what tells no rows apart, and the tables are
-- analysed here: with forty rows each, which are gone when this commits,
-- because an empty table gets no statistics at all.

DO $$
DECLARE
    t regclass;
BEGIN
    FOR t IN SELECT attrelid FROM pg_attribute
             JOIN pg_class c ON c.oid = attrelid AND c.relkind = 'r'
             WHERE attname = 'tenant' AND c.relnamespace = 'footnote'::regnamespace
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN tenant '
                       'SET (n_distinct = 1)', t);
    END LOOP;
END $$;

INSERT INTO tenant (tenant, name)
SELECT -n, n FROM generate_series(1, 40) n;
INSERT INTO account (tenant, account, name)
SELECT -1, n, n FROM generate_series(1, 40) n;
INSERT INTO account_usage (tenant, account, bytes, source_bytes, documents,
                           sessions)
SELECT -1, n, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO course (tenant, course, id, owner, created_ms)
SELECT -1, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO course_member (tenant, course, account, role)
SELECT -1, n, n, 1 FROM generate_series(1, 40) n;
INSERT INTO document (tenant, document, id, course, account, kind, date, url,
                      version, searchable_version, status, created_ms)
SELECT -1, n, n, n, n, 1, n, n, n, n, 0, n FROM generate_series(1, 40) n;
INSERT INTO document_version (tenant, document, version, account, digest,
                              object_key, recording_key, created_ms)
SELECT -1, n, n, n, sha256(n::text::bytea), n, n, n
FROM generate_series(1, 40) n;
INSERT INTO passage (tenant, document, version, position, page, text)
SELECT -1, n, n, n, n, '' FROM generate_series(1, 40) n;
INSERT INTO passage_vector (tenant, document, version, position, model, vector)
SELECT -1, n, n, n, n, ' ' FROM generate_series(1, 40) n;
INSERT INTO object (tenant, object_key, account, bytes, digest, created_ms,
                    deleted_ms)
SELECT -1, n, n, n, sha256(n::text::bytea), n, nullif(n % 2, 0)
FROM generate_series(1, 40) n;
INSERT INTO ingest_job (tenant, document, version, account, round, created_ms,
                        epoch, node)
SELECT -1, n, n, n, n, n, n, nullif(n % 2, 0) FROM generate_series(1, 40) n;
INSERT INTO session (tenant, session, owner, id, course, created_ms, active_ms)
SELECT -1, n, n, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO message (tenant, session, seq, owner, id, role, status, created_ms,
                     image_s3key)
SELECT -1, n / 5, n, n, n, 2, 0, n, n FROM generate_series(1, 40) n;
INSERT INTO answer_lease (tenant, session, seq, epoch, node, until_ms)
SELECT -1, n, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO answer_text (tenant, session, seq, part, text)
SELECT -1, n / 5, n, n, '' FROM generate_series(1, 40) n;
INSERT INTO source (tenant, source, pool, digest, document, version,
                    source_type, source_key, document_id, preview)
SELECT -1, n, n, sha256(n::text::bytea), n % 2 * n, n, 2, n, n, n
FROM generate_series(1, 40) n;
INSERT INTO source_reference (tenant, session, seq, number, source, cited)
SELECT -1, n / 5, n, n, n, 1 FROM generate_series(1, 40) n;
INSERT INTO retrieval_event (tenant, session, event, id, seq, answer, kind,
                             query, numbers, created_ms)
SELECT -1, n / 5, n, n, n, n, 1, '', '[]', n FROM generate_series(1, 40) n;
INSERT INTO verdict (tenant, session, seq, record, created_ms, judge, digest,
                     sentences)
SELECT -1, n / 5, n, n, n, '', sha256(n::text::bytea), '[]'
FROM generate_series(1, 40) n;
INSERT INTO idempotency_key (tenant, account, scope, key, request, created_ms)
SELECT -1, n, n, n, sha256(n::text::bytea), n FROM generate_series(1, 40) n;
INSERT INTO snapshot (tenant, owner, label, course, slide, page, media_type,
                      object_key, created_ms)
SELECT -1, n, n, n, n, n, '', n, n FROM generate_series(1, 40) n;

ANALYZE tenant, account, account_usage, course, course_member, document,
    document_version, passage, passage_vector, object, ingest_job, session, message,
    answer_lease, answer_text, source, source_reference,
    retrieval_event, verdict, idempotency_key, snapshot;

DELETE FROM snapshot WHERE tenant = -1;
DELETE FROM idempotency_key WHERE tenant = -1;
DELETE FROM verdict WHERE tenant = -1;
DELETE FROM retrieval_event WHERE tenant = -1;
DELETE FROM source_reference WHERE tenant = -1;
DELETE FROM source WHERE tenant = -1;
DELETE FROM answer_text WHERE tenant = -1;
DELETE FROM answer_lease WHERE tenant = -1;
DELETE FROM message WHERE tenant = -1;
DELETE FROM session WHERE tenant = -1;
DELETE FROM ingest_job WHERE tenant = -1;
DELETE FROM object WHERE tenant = -1;
DELETE FROM passage_vector WHERE tenant = -1;
DELETE FROM passage WHERE tenant = -1;
DELETE FROM document_version WHERE tenant = -1;
DELETE FROM document WHERE tenant = -1;
DELETE FROM course_member WHERE tenant = -1;
DELETE FROM course WHERE tenant = -1;
DELETE FROM account_usage WHERE tenant = -1;
DELETE FROM account WHERE tenant = -1;
DELETE FROM tenant WHERE tenant < 0;
