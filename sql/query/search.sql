-- What the index reads, and what a search asks.

-- name: index_documents
-- Documents of a course that can be searched, for the index.
SELECT {document_sealed}, {version_sealed}
FROM document d
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND d.searchable_version > 0
ORDER BY d.document;

-- name: index_passages
-- Passages of one of them, in the order of their key: each row is read once.
SELECT {passage_sealed}
FROM passage p
WHERE p.tenant = $1 AND p.document = $2 AND p.version = $3
  AND p.position > $4
ORDER BY p.position
LIMIT $5;

-- name: index_courses
-- Courses of all tenants in which something can be searched.
SELECT c.tenant, c.course, t.name AS tenant_name, c.id
FROM course c
JOIN tenant t ON t.tenant = c.tenant
WHERE (c.tenant, c.course) > ($1, $2) AND c.deleted_ms IS NULL
  AND c.index_version > 0
ORDER BY c.tenant, c.course
LIMIT $3;

-- name: index_changed
-- What can be searched in a document's course has changed.
UPDATE course SET index_version = index_version + 1
WHERE tenant = $1
  AND course = (SELECT d.course FROM document d
                WHERE d.tenant = $1 AND d.document = $2);

-- columns: scope_row
-- A document, and whether a question with these limits may look into it: $1
-- bits of its kinds, $2 to $3 days, $4 since when; 0 and '' do not limit.
d.document, d.id, d.status, d.searchable_version,
CASE WHEN (CAST($1 AS bigint) = 0
           OR ((CAST($1 AS bigint) >> CAST(d.kind AS integer)) & 1) = 1)
      AND (CAST($2 AS text) = '' OR substr(d.date, 1, 10) >= CAST($2 AS text))
      AND (CAST($3 AS text) = '' OR substr(d.date, 1, 10) <= CAST($3 AS text))
      AND (CAST($4 AS bigint) = 0
           OR EXISTS (SELECT 1 FROM document_version v
                      WHERE v.tenant = d.tenant AND v.document = d.document
                        AND v.version = CASE WHEN d.searchable_version > 0
                                             THEN d.searchable_version
                                             ELSE d.version END
                        AND v.created_ms >= CAST($4 AS bigint)))
     THEN 1 ELSE 0 END AS fits;

-- name: scope_documents
-- Those of a course that fit.  "+": by course, not all of a tenant.
SELECT f.document, f.id, f.status, f.searchable_version, f.fits
FROM (SELECT {scope_row} FROM document d
      WHERE +d.tenant = $5 AND d.course = $6 AND d.deleted_ms IS NULL) f
WHERE f.fits = 1
ORDER BY f.document;

-- name: scope_named @sqlite
-- Those of a course with one of these ids, a JSON array.
SELECT {scope_row}
FROM json_each($5) n
CROSS JOIN document d ON d.tenant = $6 AND d.course = $7 AND d.id = n.value
WHERE d.deleted_ms IS NULL
ORDER BY d.document;

-- name: scope_named @postgres
SELECT {scope_row}
FROM json_array_elements_text(CAST(CAST($5 AS text) AS json)) n (name)
JOIN document d ON d.tenant = $6 AND d.course = $7 AND d.id = n.name
WHERE d.deleted_ms IS NULL
ORDER BY d.document;

-- name: hit_get
-- A passage, if it still can be searched.
SELECT {document_sealed}, {course_sealed}, {passage_sealed}
FROM passage p
JOIN document d ON d.tenant = p.tenant AND d.document = p.document
    AND d.searchable_version = p.version
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
WHERE p.tenant = $1 AND p.document = $2 AND p.version = $3
  AND p.position = $4
  AND d.deleted_ms IS NULL AND c.deleted_ms IS NULL;

-- name: journal_recent
-- The newest entries of a course, each by its first passage.
SELECT d.document, d.searchable_version, d.date,
       (SELECT min(p.position) FROM passage p
        WHERE p.tenant = d.tenant AND p.document = d.document
          AND p.version = d.searchable_version) AS position
FROM document d
WHERE d.tenant = $1 AND d.course = $2 AND d.kind = {KIND_JOURNAL}
  AND d.deleted_ms IS NULL AND d.date IS NOT NULL
  AND EXISTS (SELECT 1 FROM passage p
              WHERE p.tenant = d.tenant AND p.document = d.document
                AND p.version = d.searchable_version)
ORDER BY d.date DESC, d.document DESC
LIMIT $3;

-- name: doc_refs_from
-- What the newest answers that a caller saved name as documents.
SELECT seq, doc_refs FROM message
WHERE tenant = $1 AND session = $2 AND shown = {SHOWN_ON}
  AND doc_refs IS NOT NULL AND model IS NULL
ORDER BY seq DESC
LIMIT $3;

-- name: documents_named @sqlite
-- The documents of these courses, JSON arrays, that have one of these names:
-- its id, or the day and the title of an entry, as in "2026-02-26:Heat".
-- The + keeps SQLite from walking along the key to find the least.
SELECT f.name, f.document
FROM (SELECT n.value AS name, c.key AS place,
         coalesce((SELECT d.document FROM document d
                   WHERE d.tenant = $1 AND d.course = c.value AND d.id = n.value
                     AND d.deleted_ms IS NULL),
                  (SELECT min(+d.document) FROM document d
                   WHERE d.tenant = $1 AND d.course = c.value
                     AND d.date = substr(n.value, 1, 10)
                     AND d.title = substr(n.value, 12)
                     AND substr(n.value, 11, 1) = ':'
                     AND d.kind = {KIND_JOURNAL} AND d.deleted_ms IS NULL))
             AS document
      FROM json_each($2) n
      CROSS JOIN json_each($3) c) f
WHERE f.document IS NOT NULL
ORDER BY f.place;

-- name: documents_named @postgres
SELECT f.name, f.document
FROM (SELECT n.name, c.place,
         coalesce((SELECT d.document FROM document d
                   WHERE d.tenant = $1 AND d.course = c.course AND d.id = n.name
                     AND d.deleted_ms IS NULL),
                  (SELECT min(+d.document) FROM document d
                   WHERE d.tenant = $1 AND d.course = c.course
                     AND d.date = substr(n.name, 1, 10)
                     AND d.title = substr(n.name, 12)
                     AND substr(n.name, 11, 1) = ':'
                     AND d.kind = {KIND_JOURNAL} AND d.deleted_ms IS NULL))
             AS document
      FROM json_array_elements_text(CAST(CAST($2 AS text) AS json)) n (name)
      CROSS JOIN unnest(CAST(translate($3, '[]', '{}') AS integer[]))
          WITH ORDINALITY c (course, place)) f
WHERE f.document IS NOT NULL
ORDER BY f.place;
