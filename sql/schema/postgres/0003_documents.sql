-- 0003 documents: how far reading them in is, and where their bytes lie.
-- The same tables as ../sqlite/0003_documents.sql, in schema ai.
--
-- A job is a document that waits to be read in, or is being read; its row goes
-- when that ends.  An object row is there from the commit that first names
-- the object until its bytes are gone, so garbage can be found from either
-- side.  docs/schema.md explains each table.

ALTER TABLE document ADD COLUMN unit smallint NOT NULL DEFAULT 0
    CHECK (unit BETWEEN 0 AND 3); -- not known, pages, seconds, bytes
ALTER TABLE document ADD COLUMN done bigint NOT NULL DEFAULT 0;
ALTER TABLE document ADD COLUMN total bigint NOT NULL DEFAULT 0;
-- A journal entry is found by its date and title.
CREATE INDEX document_by_date ON document (course, date, tenant)
    WHERE date IS NOT NULL;

ALTER TABLE document_version ADD COLUMN language text;
ALTER TABLE document_version ADD COLUMN warning text;
-- The recording beside a transcript: an object of ours, or a URL.
ALTER TABLE document_version ADD COLUMN recording_key text;
ALTER TABLE document_version ADD COLUMN recording_url text;
ALTER TABLE document_version ADD COLUMN recording_name text;
ALTER TABLE document_version ADD COLUMN recording_type text;
-- The same bytes again are the same document.
CREATE INDEX document_version_by_digest ON document_version (digest, tenant);

CREATE TABLE object (
    tenant     integer NOT NULL,
    object_key text    NOT NULL,
    bytes      bigint  NOT NULL,
    digest     bytea   NOT NULL CHECK (length(digest) = 32),
    created_ms bigint  NOT NULL,
    deleted_ms bigint, -- nothing names it since then
    PRIMARY KEY (tenant, object_key)
);
CREATE INDEX object_by_key ON object (object_key, tenant);
CREATE INDEX object_by_deletion ON object (deleted_ms, tenant)
    WHERE deleted_ms IS NOT NULL;

-- node and until_ms: who reads it in, and until when that holds; a step names
-- the epoch, so one whose job was taken over finds no row with its own.
CREATE TABLE ingest_job (
    tenant     integer NOT NULL,
    document   integer NOT NULL,
    version    integer NOT NULL,
    created_ms bigint  NOT NULL,
    attempts   integer NOT NULL DEFAULT 0,
    epoch      bigint  NOT NULL DEFAULT 0,
    node       text, -- NULL: it waits
    until_ms   bigint,
    -- Where reading can go on: pages done, passages so far, pages without text.
    pages      integer NOT NULL DEFAULT 0,
    position   integer NOT NULL DEFAULT 0,
    blank      integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant, document),
    FOREIGN KEY (tenant, document, version)
        REFERENCES document_version (tenant, document, version)
);
