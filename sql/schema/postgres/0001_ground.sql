-- 0001 ground: who, what was read, what was said, and what it rests on.
-- The same tables as ../sqlite/0001_ground.sql, in schema ai.
--
-- The tenant is the first column of every key, so that the same tables can be
-- distributed by it on PostgreSQL.  In other indexes it is not, or a planner
-- that knows nothing of the table yet might take one of them for a key.
-- Inside, keys are integers that the server hands out from tenant.last_key;
-- `id` is always the public one.  Times are milliseconds since 1970 UTC.
-- docs/schema.md explains each table.

CREATE TABLE tenant (
    tenant       integer PRIMARY KEY,
    name         text     NOT NULL UNIQUE,
    last_key     integer  NOT NULL DEFAULT 0,
    -- Counts every change to a document: cached states hold while it stands.
    docs_version bigint   NOT NULL DEFAULT 0
);

CREATE TABLE account (
    tenant  integer  NOT NULL REFERENCES tenant (tenant),
    account integer  NOT NULL,
    name    text     NOT NULL,
    PRIMARY KEY (tenant, account),
    UNIQUE (tenant, name)
);

-- Courses.  A deleted one keeps its row, so that its id is not used again and
-- old citations can say what became of their document.

CREATE TABLE course (
    tenant     integer  NOT NULL,
    course     integer  NOT NULL,
    id         text     NOT NULL,
    owner      integer  NOT NULL,
    title      text,
    version    integer  NOT NULL DEFAULT 1,
    created_ms bigint   NOT NULL,
    deleted_ms bigint,
    PRIMARY KEY (tenant, course),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
);

-- account 0 is "*": everybody in the tenant.
CREATE TABLE course_member (
    tenant  integer  NOT NULL,
    course  integer  NOT NULL,
    account integer  NOT NULL,
    role    smallint NOT NULL CHECK (role IN (1, 2)), -- reader, editor
    PRIMARY KEY (tenant, course, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
);
CREATE INDEX course_member_by_account ON course_member (account, tenant);

CREATE TABLE document (
    tenant             integer  NOT NULL,
    document           integer  NOT NULL,
    id                 text     NOT NULL,
    course             integer  NOT NULL,
    kind               smallint NOT NULL CHECK (kind BETWEEN 1 AND 5),
    title              text,
    date               text, -- of a journal entry
    url                text, -- of a web page
    version            integer  NOT NULL DEFAULT 1,
    searchable_version integer  NOT NULL DEFAULT 0,
    status             smallint NOT NULL CHECK (status BETWEEN 0 AND 3),
    error              text,
    created_ms         bigint   NOT NULL,
    deleted_ms         bigint,
    redacted           smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, document),
    UNIQUE (tenant, id),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
);
CREATE INDEX document_by_course ON document (course, tenant);

CREATE TABLE document_version (
    tenant     integer  NOT NULL,
    document   integer  NOT NULL,
    version    integer  NOT NULL,
    digest     bytea    NOT NULL CHECK (length(digest) = 32),
    filename   text,
    media_type text,
    object_key text,
    bytes      bigint,
    pages      integer,
    seconds    double precision,
    created_ms bigint   NOT NULL,
    PRIMARY KEY (tenant, document, version),
    FOREIGN KEY (tenant, document) REFERENCES document (tenant, document)
);

CREATE TABLE passage (
    tenant        integer  NOT NULL,
    document      integer  NOT NULL,
    version       integer  NOT NULL,
    position      integer  NOT NULL, -- from 1
    page          integer,
    start_seconds double precision,
    end_seconds   double precision,
    heading       text,
    text          text     NOT NULL,
    extra         text, -- JSON: word boxes and the like
    PRIMARY KEY (tenant, document, version, position),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
);

-- Sessions.  A deleted one keeps a bare row: its id is not used again.

CREATE TABLE session (
    tenant     integer  NOT NULL,
    session    integer  NOT NULL,
    owner      integer  NOT NULL,
    id         text     NOT NULL,
    course     integer,
    title      text,
    last_seq   integer  NOT NULL DEFAULT 0,
    version    bigint   NOT NULL DEFAULT 1,
    created_ms bigint   NOT NULL,
    active_ms  bigint   NOT NULL,
    deleted_ms bigint,
    PRIMARY KEY (tenant, session),
    UNIQUE (tenant, owner, id),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account)
);
CREATE INDEX session_by_activity
    ON session (owner, tenant, active_ms, session) WHERE deleted_ms IS NULL;

-- content NULL: sources came before their message, or the answer is running.
-- saved_digest is that of the request that saved it: a repeat is recognised
-- by it even after sources were added.
CREATE TABLE message (
    tenant         integer  NOT NULL,
    session        integer  NOT NULL,
    seq            integer  NOT NULL,
    owner          integer  NOT NULL,
    id             text     NOT NULL,
    role           smallint NOT NULL CHECK (role BETWEEN 1 AND 3),
    status         smallint NOT NULL CHECK (status BETWEEN 0 AND 4),
    created_ms     bigint   NOT NULL,
    content        text,
    digest         bytea,
    saved_digest   bytea,
    low_confidence smallint,
    replaced_by    integer, -- seq of the newer one
    failure        text,
    doc_refs       text, -- JSON array of strings, as are the next two
    rag_source_ids text,
    web_source_ids text,
    image_s3key    text,
    image_slide    text,
    image_page     bigint,
    PRIMARY KEY (tenant, session, seq),
    UNIQUE (tenant, id, owner) -- ids of ours ascend: one page is hot
);

-- A running answer's text and who may write it.  A write names the epoch; a
-- holder whose lease was taken over finds no row with its own.
CREATE TABLE answer_lease (
    tenant   integer  NOT NULL,
    session  integer  NOT NULL,
    seq      integer  NOT NULL,
    epoch    bigint   NOT NULL,
    node     text     NOT NULL,
    until_ms bigint   NOT NULL,
    numbers_from integer NOT NULL DEFAULT 1, -- its first source gets this one
    parts    integer  NOT NULL DEFAULT 0, -- rows of answer_text
    PRIMARY KEY (tenant, session) -- one answer runs at a time
);

-- Blobs: a part may end inside a character.
CREATE TABLE answer_text (
    tenant  integer  NOT NULL,
    session integer  NOT NULL,
    seq     integer  NOT NULL,
    part    bigint   NOT NULL,
    text    bytea    NOT NULL,
    PRIMARY KEY (tenant, session, seq, part)
);

-- Sources: insert-only, redaction excepted.  `pool` is the course's key, or
-- the account's for a session without one.  digest covers every shown field;
-- version is the document's when it was cited (0: not kept here).
CREATE TABLE course_sources (
    tenant        integer  NOT NULL,
    source        integer  NOT NULL,
    pool          integer  NOT NULL,
    digest        bytea    NOT NULL CHECK (length(digest) = 32),
    version       integer  NOT NULL DEFAULT 0,
    source_type   smallint NOT NULL CHECK (source_type BETWEEN 1 AND 6),
    source_key    text     NOT NULL,
    source_id     text, -- NULL: its key
    preview       text,
    title         text,
    url           text,
    course_id     text,
    owner_id      text,
    document_id   text,
    lecture_id    text,
    date          text,
    s3key         text,
    meta          text,
    slide_number  bigint,
    start_seconds double precision,
    end_seconds   double precision,
    part          bigint,
    redacted      smallint NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, source),
    UNIQUE (tenant, pool, digest, version)
);
CREATE INDEX course_sources_by_document
    ON course_sources ((coalesce(document_id, lecture_id)), tenant);

-- References: what [n] means in message seq.  Of an answer its own; of a user's
-- message what the caller retrieved for it.  spans: see docs/schema.md; a
-- source with spans is cited, one without was only read.  No foreign keys: see
-- docs/adr.
CREATE TABLE message_source_refs (
    session integer  NOT NULL,
    source  integer  NOT NULL,
    tenant  integer  NOT NULL,
    seq     integer  NOT NULL,
    number  integer  NOT NULL,
    support smallint, -- in thousandths
    spans   bytea,
    score   double precision,
    -- Entries are only added, mostly at the end: no need to leave room.
    PRIMARY KEY (tenant, session, seq, number) WITH (fillfactor = 100)
);
CREATE INDEX message_source_refs_by_source
    ON message_source_refs (source, tenant);

CREATE TABLE retrieval_event (
    tenant         integer  NOT NULL,
    session        integer  NOT NULL,
    event          integer  NOT NULL, -- from 1 within the session
    id             text     NOT NULL,
    seq            integer  NOT NULL, -- the user's message
    answer         integer,          -- seq of the answer; NULL: a caller's own
    kind           smallint NOT NULL CHECK (kind IN (1, 2)), -- rag, web
    query          text     NOT NULL,
    low_confidence smallint,
    numbers        text     NOT NULL, -- JSON array: its sources' numbers
    created_ms     bigint   NOT NULL,
    PRIMARY KEY (tenant, session, event)
);

CREATE TABLE idempotency_key (
    tenant     integer  NOT NULL,
    account    integer  NOT NULL,
    scope      text     NOT NULL, -- the session's id, or ''
    key        text     NOT NULL,
    request    bytea    NOT NULL CHECK (length(request) = 32),
    status     smallint, -- NULL: the first request is still at work
    response   bytea,
    created_ms bigint   NOT NULL,
    PRIMARY KEY (tenant, account, scope, key)
);
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
       to_timestamp(m.created_ms / 1000.0)
                                                    AS created_at,
       r.spans IS NOT NULL                          AS cited
FROM message_source_refs r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
JOIN tenant t ON t.tenant = r.tenant;
