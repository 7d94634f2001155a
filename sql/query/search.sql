-- What the index reads, and what a search asks.

-- name: index_documents
-- Documents of a course that can be searched, for the index.
SELECT d.document, d.searchable_version, d.kind, d.title, v.digest
FROM document d
JOIN document_version v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND d.searchable_version > 0
ORDER BY d.document;

-- columns: index_passage
p.document, p.version, p.position, p.heading, p.text;

-- name: index_passages
-- Their passages, a range of documents at a time.
SELECT {index_passage}
FROM document d
JOIN passage p ON p.tenant = d.tenant AND p.document = d.document
    AND p.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.document <= $3
  AND d.deleted_ms IS NULL AND d.searchable_version > 0
  AND (p.document, p.position) > ($4, $5)
ORDER BY p.document, p.position
LIMIT $6;

-- name: hit_get
-- A passage with its neighbours, if it still can be searched.
SELECT d.id, c.id AS course_id, d.title, d.date, d.url, d.kind, d.course, p.page,
       p.start_seconds, p.end_seconds, p.heading, p.text,
       (SELECT b.text FROM passage b
        WHERE b.tenant = p.tenant AND b.document = p.document
          AND b.version = p.version AND b.position < p.position
        ORDER BY b.position DESC LIMIT 1) AS text_before,
       (SELECT a.text FROM passage a
        WHERE a.tenant = p.tenant AND a.document = p.document
          AND a.version = p.version AND a.position > p.position
        ORDER BY a.position LIMIT 1) AS text_after
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
