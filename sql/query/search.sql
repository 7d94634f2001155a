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
SELECT d.document, d.searchable_version, min(p.position) AS position
FROM document d
JOIN passage p ON p.tenant = d.tenant AND p.document = d.document
    AND p.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.kind = {KIND_JOURNAL}
  AND d.deleted_ms IS NULL AND d.date IS NOT NULL
GROUP BY d.document, d.searchable_version, d.date
ORDER BY d.date DESC, d.document DESC
LIMIT $3;
