-- 0003 documents: how far reading them in is, and where their bytes lie.
--
-- A job is a document that waits to be read in, or is being read; its row goes
-- when that ends.  An object row is there from the commit that first names
-- the object until its bytes are gone, so garbage can be found from either
-- side.  docs/schema.md explains each table.

ALTER TABLE document ADD COLUMN unit INTEGER NOT NULL DEFAULT 0
    CHECK (unit BETWEEN 0 AND 3); -- not known, pages, seconds, bytes
ALTER TABLE document ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
-- A journal entry is found by its date and title.
CREATE INDEX document_by_date ON document (course, date, tenant)
    WHERE date IS NOT NULL;

ALTER TABLE document_version ADD COLUMN language TEXT;
ALTER TABLE document_version ADD COLUMN warning TEXT;
-- The recording beside a transcript: an object of ours, or a URL.
ALTER TABLE document_version ADD COLUMN recording_key TEXT;
ALTER TABLE document_version ADD COLUMN recording_url TEXT;
ALTER TABLE document_version ADD COLUMN recording_name TEXT;
ALTER TABLE document_version ADD COLUMN recording_type TEXT;
-- The same bytes again are the same document.
CREATE INDEX document_version_by_digest ON document_version (digest, tenant);

CREATE TABLE object (
    tenant     INTEGER NOT NULL,
    object_key TEXT    NOT NULL,
    bytes      INTEGER NOT NULL,
    digest     BLOB    NOT NULL CHECK (length(digest) = 32),
    created_ms INTEGER NOT NULL,
    deleted_ms INTEGER, -- nothing names it since then
    PRIMARY KEY (tenant, object_key)
) STRICT;
CREATE INDEX object_by_key ON object (object_key, tenant);
CREATE INDEX object_by_deletion ON object (deleted_ms, tenant)
    WHERE deleted_ms IS NOT NULL;

-- node and until_ms: who reads it in, and until when that holds; a step names
-- the epoch, so one whose job was taken over finds no row with its own.
CREATE TABLE ingest_job (
    tenant     INTEGER NOT NULL,
    document   INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    attempts   INTEGER NOT NULL DEFAULT 0,
    epoch      INTEGER NOT NULL DEFAULT 0,
    node       TEXT, -- NULL: it waits
    until_ms   INTEGER,
    -- Where reading can go on: pages done, passages so far, pages without text.
    pages      INTEGER NOT NULL DEFAULT 0,
    position   INTEGER NOT NULL DEFAULT 0,
    blank      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, document),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
) STRICT, WITHOUT ROWID;
