-- Documents, their versions and passages.

-- columns: document_row
-- With its course, and the asker's roles there, as in course_row.
{document_sealed}, {course_sealed}, {roles};

-- name: document_in
-- By its id in a course.
SELECT {document_row}
FROM document d
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
LEFT JOIN course_member o ON o.tenant = c.tenant AND o.course = c.course
    AND o.account = $1
LEFT JOIN course_member e ON e.tenant = c.tenant AND e.course = c.course
    AND e.account = 0
WHERE d.tenant = $2 AND d.course = $3 AND d.id = $4;

-- name: document_find
-- Of those with the id that the asker may read: one that is there before one
-- that was deleted, one of the asker's own courses before those of others, an
-- older one before a younger.  $4: 1 counts deleted ones as the others, 2 takes
-- the asker's own courses alone.
SELECT {document_row}
FROM document d
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
LEFT JOIN course_member o ON o.tenant = c.tenant AND o.course = c.course
    AND o.account = $1
LEFT JOIN course_member e ON e.tenant = c.tenant AND e.course = c.course
    AND e.account = 0
WHERE d.tenant = $2 AND d.id = $3
  AND (c.owner = $1
       OR (CAST($4 AS bigint) < 2
           AND EXISTS (SELECT 1 FROM course_member m
                       WHERE m.tenant = c.tenant AND m.course = c.course
                         AND m.account IN (0, $1))))
ORDER BY CASE WHEN d.deleted_ms IS NULL OR CAST($4 AS bigint) = 1 THEN 0
              ELSE 1 END,
         CASE WHEN c.owner = $1 THEN 0 ELSE 1 END, d.document
LIMIT 1;

-- name: document_same
-- The same bytes in the same course are the same document.
SELECT {document_sealed}
FROM document_version v
JOIN document d ON d.tenant = v.tenant AND d.document = v.document
    AND d.version = v.version
WHERE v.digest = $1 AND v.tenant = $2 AND d.course = $3
  AND d.deleted_ms IS NULL
ORDER BY d.document
LIMIT 1;

-- name: document_entry
-- The journal entry of that day with that title.
SELECT {document_sealed} FROM document d
WHERE d.tenant = $1 AND d.course = $2 AND d.date = $3 AND d.title = $4
  AND d.kind = $5 AND d.deleted_ms IS NULL
ORDER BY d.document
LIMIT 1;

-- name: document_url
SELECT {document_sealed} FROM document d
WHERE d.tenant = $1 AND d.course = $2 AND d.url = $3 AND d.kind = $4
  AND d.deleted_ms IS NULL
ORDER BY d.document
LIMIT 1;

-- name: document_held
-- What the newest version is made of, to compare it with what comes.
SELECT {version_sealed}, o.digest AS recording_digest
FROM document_version v
LEFT JOIN object o ON o.tenant = v.tenant AND o.object_key = v.recording_key
WHERE v.tenant = $1 AND v.document = $2 AND v.version = $3;

-- name: document_new
INSERT INTO document
    (tenant, document, id, course, kind, title, date, url, version, status,
     created_ms, account)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1,
        {DOCUMENT_QUEUED}, $9, $10);

-- name: document_next
UPDATE document
SET version = version + 1, status = {DOCUMENT_QUEUED}, error = NULL,
    error_code = NULL, unit = 0, done = 0, total = 0, title = coalesce($1, title), url = coalesce($2, url)
WHERE tenant = $3 AND document = $4
RETURNING version;

-- name: document_again
UPDATE document
SET status = {DOCUMENT_QUEUED}, error = NULL, error_code = NULL, unit = 0,
    done = 0, total = 0
WHERE tenant = $1 AND document = $2;

-- name: version_new
INSERT INTO document_version
    (tenant, document, version, digest, filename, media_type, object_key,
     bytes, pages, seconds, created_ms, recording_key, recording_url,
     recording_name, recording_type, language, account)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
        $16, $17);

-- name: version_fetched
UPDATE document_version
SET object_key = $1, digest = $2, bytes = $3, media_type = $4
WHERE tenant = $5 AND document = $6 AND version = $7;

-- name: version_facts
-- What the file says of itself, once it was read.
UPDATE document_version
SET pages = coalesce($1, pages), seconds = coalesce($2, seconds),
    language = coalesce($3, language), warning = $4, layout = $5,
    page_labels = $6, encoding = $7
WHERE tenant = $8 AND document = $9 AND version = $10;

-- name: document_facts
UPDATE document
SET title = coalesce(title, $1), date = coalesce(date, $2)
WHERE tenant = $3 AND document = $4;

-- name: document_status
-- Ready makes the newest version the searched one.
UPDATE document
SET status = $1, error = $2, error_code = $3,
    searchable_version = CASE WHEN $4 = 1 THEN version
                              ELSE searchable_version END
WHERE tenant = $5 AND document = $6;

-- name: document_progress
UPDATE document SET unit = $1, done = $2, total = $3
WHERE tenant = $4 AND document = $5;

-- columns: document
{document_sealed}, {version_sealed}, {course_sealed}, d.unit, d.done, d.total,
o.digest AS recording_digest, o.bytes AS recording_bytes;

-- name: document_get
SELECT {document}
FROM document d
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
LEFT JOIN object o ON o.tenant = v.tenant AND o.object_key = v.recording_key
WHERE d.tenant = $1 AND d.document = $2 AND v.version = $3;

-- name: document_list
-- Status -1 is any.
SELECT {document}
FROM document d
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.version
LEFT JOIN object o ON o.tenant = v.tenant AND o.object_key = v.recording_key
WHERE d.tenant = $1 AND d.course = $2 AND d.document > $3
  AND d.deleted_ms IS NULL AND ($4 < 0 OR d.status = $4)
ORDER BY d.document
LIMIT $5;

-- name: library_rows
-- What documents of a course are found and sorted by.
SELECT d.document, d.version, d.kind, d.status, d.title, d.url, v.filename,
       v.bytes, v.created_ms AS changed_ms
FROM document d
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.version
WHERE d.course = $1 AND d.tenant = $2 AND d.deleted_ms IS NULL;

-- name: document_rename
UPDATE document SET title = $1 WHERE tenant = $2 AND document = $3;

-- name: document_move
-- Another document of that id, made meanwhile by another node, violates a key.
UPDATE document SET course = $1 WHERE tenant = $2 AND document = $3;

-- name: document_versions
SELECT {version_sealed}
FROM document_version v
WHERE v.tenant = $1 AND v.document = $2 AND v.version < $3
ORDER BY v.version DESC
LIMIT $4;

-- name: document_bury
-- Two nodes at once: the second changes no row.
UPDATE document SET deleted_ms = $1
WHERE tenant = $2 AND document = $3 AND deleted_ms IS NULL
RETURNING account;

-- name: document_redacted
UPDATE document SET redacted = 1 WHERE tenant = $1 AND document = $2;

-- name: version_by
-- Who brought it.
SELECT account FROM document_version
WHERE tenant = $1 AND document = $2 AND version = $3;

-- name: versions_uncited
-- Versions that are neither the newest nor searched, and that no message
-- refers to.
SELECT v.version, v.account
FROM document d
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
WHERE d.tenant = $1 AND d.document = $2
  AND v.version < d.version AND v.version <> d.searchable_version
  AND NOT EXISTS (SELECT 1 FROM source c
                  JOIN source_reference r
                      ON r.source = c.source AND r.tenant = c.tenant
                  WHERE c.tenant = $1 AND c.document = $2 AND c.document > 0
                    AND c.version = v.version)
ORDER BY v.version;

-- name: version_delete
DELETE FROM document_version
WHERE tenant = $1 AND document = $2 AND version = $3;

-- name: passage_add
-- A position that is there stays as it is.
INSERT INTO passage
    (tenant, document, version, position, page, start_seconds, end_seconds,
     heading, text, extra, boxes, locator, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (tenant, document, version, position) DO NOTHING;

-- name: passages_read
-- Page 0 is any.
SELECT {passage_sealed}
FROM passage p
WHERE p.tenant = $1 AND p.document = $2 AND p.version = $3 AND p.position > $4
  AND ($5 = 0 OR p.page = $5)
ORDER BY p.position
LIMIT $6;

-- name: passages_last
SELECT coalesce(max(position), 0) AS position FROM passage
WHERE tenant = $1 AND document = $2 AND version = $3;

-- name: passages_nth
-- The first passage of a document behind so many others.
SELECT version, position FROM passage
WHERE tenant = $1 AND document = $2
ORDER BY version, position
LIMIT 1 OFFSET $3;

-- name: passages_delete
-- Those before a place.
DELETE FROM passage
WHERE tenant = $1 AND document = $2 AND (version, position) < ($3, $4);

-- name: document_emptying
-- Whether a deleted document still has passages.
UPDATE document SET emptying = $1
WHERE tenant = $2 AND document = $3;

-- name: documents_emptying
-- The next of all tenants: housekeeping.
SELECT tenant, document FROM document
WHERE emptying = 1 AND deleted_ms IS NOT NULL
ORDER BY tenant, document
LIMIT 1;

-- name: passage_drop
DELETE FROM passage
WHERE tenant = $1 AND document = $2 AND version = $3 AND position = $4;

-- name: passages_undo
-- Of a version that could not be read to its end.  One that is searched was
-- read before: reading it again takes nothing away.
DELETE FROM passage
WHERE tenant = $1 AND document = $2 AND version = $3
  AND NOT EXISTS (SELECT 1 FROM document d
                  WHERE d.tenant = $1 AND d.document = $2
                    AND d.searchable_version = $3);
