-- Documents, their versions and passages.

-- name: document_find
SELECT document, course, version, searchable_version, status, deleted_ms,
       redacted
FROM document
WHERE tenant = $1 AND id = $2;

-- name: document_same
-- The same bytes in the same course are the same document.
SELECT d.id, d.version
FROM document d
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.version
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND v.digest = $3
ORDER BY d.document
LIMIT 1;

-- name: document_digest
SELECT digest FROM document_version
WHERE tenant = $1 AND document = $2 AND version = $3;

-- name: document_new
INSERT INTO document
    (tenant, document, id, course, kind, title, date, url, version, status,
     created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, 0, $9);

-- name: document_next
UPDATE document
SET version = version + 1, status = 0, error = NULL,
    title = coalesce($1, title), url = coalesce($2, url)
WHERE tenant = $3 AND document = $4
RETURNING version;

-- name: version_new
INSERT INTO document_version
    (tenant, document, version, digest, filename, media_type, object_key,
     bytes, pages, seconds, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: document_status
-- Ready makes the newest version the searched one.
UPDATE document
SET status = $1, error = $2,
    searchable_version = CASE WHEN $3 = 1 THEN version
                              ELSE searchable_version END
WHERE tenant = $4 AND document = $5;

-- name: document_get
SELECT d.id, c.id, d.title, d.date, d.url, d.kind, d.status, d.error,
       d.version, d.searchable_version, d.created_ms, v.filename, v.media_type,
       v.object_key, v.digest, v.bytes, v.pages, v.seconds, d.document
FROM document d
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.version
WHERE d.tenant = $1 AND d.document = $2;

-- name: document_list
SELECT d.id, c.id, d.title, d.date, d.url, d.kind, d.status, d.error,
       d.version, d.searchable_version, d.created_ms, v.filename, v.media_type,
       v.object_key, v.digest, v.bytes, v.pages, v.seconds, d.document
FROM document d
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.version
WHERE d.tenant = $1 AND d.course = $2 AND d.document > $3
  AND d.deleted_ms IS NULL
ORDER BY d.document
LIMIT $4;

-- name: document_bury
UPDATE document
SET deleted_ms = $1, redacted = CASE WHEN $2 = 1 THEN 1 ELSE redacted END
WHERE tenant = $3 AND document = $4;

-- name: passage_add
-- A position that is there stays as it is.
INSERT INTO passage
    (tenant, document, version, position, page, start_seconds, end_seconds,
     heading, text, extra)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (tenant, document, version, position) DO NOTHING;

-- name: passages_read
SELECT position, page, start_seconds, end_seconds, heading, text, extra
FROM passage
WHERE tenant = $1 AND document = $2 AND version = $3 AND position > $4
ORDER BY position
LIMIT $5;

-- name: passages_delete
DELETE FROM passage WHERE tenant = $1 AND document = $2;
