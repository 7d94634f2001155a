-- 0001 ground: who, what was read, what was said, and what it rests on.
--
-- The tenant is the first column of every key, so that the same tables can be
-- distributed by it on PostgreSQL.  In other indexes it is not, or a planner
-- that knows nothing of the table yet might take one of them for a key.
-- Inside, keys are integers that the server hands out from tenant.last_key;
-- `id` is always the public one.  Times are milliseconds since 1970 UTC.
-- docs/schema.md explains each table.

CREATE TABLE tenant (
    tenant       INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE,
    last_key     INTEGER NOT NULL DEFAULT 0,
    -- Counts every change to a document: cached states hold while it stands.
    docs_version INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE account (
    tenant  INTEGER NOT NULL REFERENCES tenant (tenant),
    account INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    PRIMARY KEY (tenant, account),
    UNIQUE (tenant, name)
) STRICT, WITHOUT ROWID;

-- Courses.  A deleted one keeps its row, so that its id is not used again and
-- old citations can say what became of their document.

CREATE TABLE course (
    tenant     INTEGER NOT NULL,
    course     INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    owner      INTEGER NOT NULL,
    title      TEXT,
    version    INTEGER NOT NULL DEFAULT 1,
    created_ms INTEGER NOT NULL,
    deleted_ms INTEGER,
    PRIMARY KEY (tenant, course),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
) STRICT;

-- account 0 is "*": everybody in the tenant.
CREATE TABLE course_member (
    tenant  INTEGER NOT NULL,
    course  INTEGER NOT NULL,
    account INTEGER NOT NULL,
    role    INTEGER NOT NULL CHECK (role IN (1, 2)), -- reader, editor
    PRIMARY KEY (tenant, course, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
) STRICT, WITHOUT ROWID;
CREATE INDEX course_member_by_account ON course_member (account, tenant);

CREATE TABLE document (
    tenant             INTEGER NOT NULL,
    document           INTEGER NOT NULL,
    id                 TEXT    NOT NULL,
    course             INTEGER NOT NULL,
    kind               INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 5),
    title              TEXT,
    date               TEXT, -- of a journal entry
    url                TEXT, -- of a web page
    version            INTEGER NOT NULL DEFAULT 1,
    searchable_version INTEGER NOT NULL DEFAULT 0,
    status             INTEGER NOT NULL CHECK (status BETWEEN 0 AND 3),
    error              TEXT,
    created_ms         INTEGER NOT NULL,
    deleted_ms         INTEGER,
    redacted           INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, document),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
) STRICT;
CREATE INDEX document_by_course ON document (course, tenant);

CREATE TABLE document_version (
    tenant     INTEGER NOT NULL,
    document   INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    digest     BLOB    NOT NULL CHECK (length(digest) = 32),
    filename   TEXT,
    media_type TEXT,
    object_key TEXT,
    bytes      INTEGER,
    pages      INTEGER,
    seconds    REAL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, document, version),
    FOREIGN KEY (tenant, document) REFERENCES document (tenant, document)
) STRICT;

CREATE TABLE passage (
    tenant        INTEGER NOT NULL,
    document      INTEGER NOT NULL,
    version       INTEGER NOT NULL,
    position      INTEGER NOT NULL, -- from 1
    page          INTEGER,
    start_seconds REAL,
    end_seconds   REAL,
    heading       TEXT,
    text          TEXT    NOT NULL,
    extra         TEXT, -- JSON: word boxes and the like
    PRIMARY KEY (tenant, document, version, position),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
) STRICT;

-- Sessions.  A deleted one keeps a bare row: its id is not used again.

CREATE TABLE session (
    tenant     INTEGER NOT NULL,
    session    INTEGER NOT NULL,
    owner      INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    course     INTEGER,
    title      TEXT,
    last_seq   INTEGER NOT NULL DEFAULT 0,
    version    INTEGER NOT NULL DEFAULT 1,
    created_ms INTEGER NOT NULL,
    active_ms  INTEGER NOT NULL,
    deleted_ms INTEGER,
    PRIMARY KEY (tenant, session),
    UNIQUE (tenant, owner, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
) STRICT;
CREATE INDEX session_by_activity
    ON session (owner, tenant, active_ms, session) WHERE deleted_ms IS NULL;

-- content NULL: sources came before their message, or the answer is running.
-- saved_digest is that of the request that saved it: a repeat is recognised
-- by it even after sources were added.
CREATE TABLE message (
    tenant         INTEGER NOT NULL,
    session        INTEGER NOT NULL,
    seq            INTEGER NOT NULL,
    owner          INTEGER NOT NULL,
    id             TEXT    NOT NULL,
    role           INTEGER NOT NULL CHECK (role BETWEEN 1 AND 3),
    status         INTEGER NOT NULL CHECK (status BETWEEN 0 AND 4),
    created_ms     INTEGER NOT NULL,
    content        TEXT,
    digest         BLOB,
    saved_digest   BLOB,
    low_confidence INTEGER,
    replaced_by    INTEGER, -- seq of the newer one
    failure        TEXT,
    doc_refs       TEXT, -- JSON array of strings, as are the next two
    rag_source_ids TEXT,
    web_source_ids TEXT,
    image_s3key    TEXT,
    image_slide    TEXT,
    image_page     INTEGER,
    PRIMARY KEY (tenant, session, seq),
    UNIQUE (tenant, id, owner) -- ids of ours ascend: one page is hot
) STRICT;

-- A running answer's text and who may write it.  A write names the epoch; a
-- holder whose lease was taken over finds no row with its own.
CREATE TABLE answer_lease (
    tenant   INTEGER NOT NULL,
    session  INTEGER NOT NULL,
    seq      INTEGER NOT NULL,
    epoch    INTEGER NOT NULL,
    node     TEXT    NOT NULL,
    until_ms INTEGER NOT NULL,
    numbers_from INTEGER NOT NULL DEFAULT 1, -- its first source gets this one
    parts    INTEGER NOT NULL DEFAULT 0, -- rows of answer_text
    PRIMARY KEY (tenant, session) -- one answer runs at a time
) STRICT, WITHOUT ROWID;

-- Blobs: a part may end inside a character.
CREATE TABLE answer_text (
    tenant  INTEGER NOT NULL,
    session INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    part    INTEGER NOT NULL,
    text    BLOB    NOT NULL,
    PRIMARY KEY (tenant, session, seq, part)
) STRICT, WITHOUT ROWID;

-- Sources: insert-only, redaction excepted.  `pool` is the course's key, or
-- the account's for a session without one.  digest covers every shown field;
-- version is the document's when it was cited (0: not kept here).
CREATE TABLE course_sources (
    tenant        INTEGER NOT NULL,
    source        INTEGER NOT NULL,
    pool          INTEGER NOT NULL,
    digest        BLOB    NOT NULL CHECK (length(digest) = 32),
    version       INTEGER NOT NULL DEFAULT 0,
    source_type   INTEGER NOT NULL CHECK (source_type BETWEEN 1 AND 6),
    source_key    TEXT    NOT NULL,
    source_id     TEXT, -- NULL: its key
    preview       TEXT,
    title         TEXT,
    url           TEXT,
    course_id     TEXT,
    owner_id      TEXT,
    document_id   TEXT,
    lecture_id    TEXT,
    date          TEXT,
    s3key         TEXT,
    meta          TEXT,
    slide_number  INTEGER,
    start_seconds REAL,
    end_seconds   REAL,
    part          INTEGER,
    redacted      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, source),
    UNIQUE (tenant, pool, digest, version)
) STRICT;
CREATE INDEX course_sources_by_document
    ON course_sources ((coalesce(document_id, lecture_id)), tenant);

-- References: what [n] means in message seq.  Of an answer its own; of a user's
-- message what the caller retrieved for it.  spans: see docs/schema.md; a
-- source with spans is cited, one without was only read.  No foreign keys: see
-- docs/adr.
CREATE TABLE message_source_refs (
    tenant  INTEGER NOT NULL,
    session INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    source  INTEGER NOT NULL,
    support INTEGER, -- in thousandths
    spans   BLOB,
    score   REAL,
    PRIMARY KEY (tenant, session, seq, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_source_refs_by_source
    ON message_source_refs (source, tenant);

CREATE TABLE retrieval_event (
    tenant         INTEGER NOT NULL,
    session        INTEGER NOT NULL,
    event          INTEGER NOT NULL, -- from 1 within the session
    id             TEXT    NOT NULL,
    seq            INTEGER NOT NULL, -- the user's message
    answer         INTEGER,          -- seq of the answer; NULL: a caller's own
    kind           INTEGER NOT NULL CHECK (kind IN (1, 2)), -- rag, web
    query          TEXT    NOT NULL,
    low_confidence INTEGER,
    numbers        TEXT    NOT NULL, -- JSON array: its sources' numbers
    created_ms     INTEGER NOT NULL,
    PRIMARY KEY (tenant, session, event)
) STRICT;

CREATE TABLE idempotency_key (
    tenant     INTEGER NOT NULL,
    account    INTEGER NOT NULL,
    scope      TEXT    NOT NULL, -- the session's id, or ''
    key        TEXT    NOT NULL,
    request    BLOB    NOT NULL CHECK (length(request) = 32),
    status     INTEGER, -- NULL: the first request is still at work
    response   BLOB,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, account, scope, key)
) STRICT;
CREATE INDEX idempotency_key_by_age ON idempotency_key (created_ms, tenant);

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
       r.spans IS NOT NULL                          AS cited
FROM message_source_refs r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
JOIN tenant t ON t.tenant = r.tenant;
