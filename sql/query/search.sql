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

-- name: index_passages
-- Their passages, a range of documents at a time.
SELECT p.document, p.version, p.position, p.heading, p.text
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
SELECT d.id, c.id, d.title, d.date, d.url, d.kind, d.course, p.page,
       p.start_seconds, p.end_seconds, p.heading, p.text,
       (SELECT b.text FROM passage b
        WHERE b.tenant = p.tenant AND b.document = p.document
          AND b.version = p.version AND b.position < p.position
        ORDER BY b.position DESC LIMIT 1),
       (SELECT a.text FROM passage a
        WHERE a.tenant = p.tenant AND a.document = p.document
          AND a.version = p.version AND a.position > p.position
        ORDER BY a.position LIMIT 1)
FROM passage p
JOIN document d ON d.tenant = p.tenant AND d.document = p.document
    AND d.searchable_version = p.version
JOIN course c ON c.tenant = d.tenant AND c.course = d.course
WHERE p.tenant = $1 AND p.document = $2 AND p.version = $3
  AND p.position = $4
  AND d.deleted_ms IS NULL AND c.deleted_ms IS NULL;

-- name: session_citations
-- How often answers of a session cited each source of a document.
SELECT coalesce(c.document_id, c.lecture_id), c.source_key, count(*)
FROM message_source_refs r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
WHERE r.tenant = $1 AND r.session = $2 AND r.spans IS NOT NULL
  AND m.replaced_by IS NULL
  AND coalesce(c.document_id, c.lecture_id) IS NOT NULL
GROUP BY coalesce(c.document_id, c.lecture_id), c.source_key
ORDER BY 1, 2;

-- name: journal_recent
-- The newest entries of a course, each by its first passage.
SELECT d.document, d.searchable_version, min(p.position)
FROM document d
JOIN passage p ON p.tenant = d.tenant AND p.document = d.document
    AND p.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.kind = 3
  AND d.deleted_ms IS NULL AND d.date IS NOT NULL
GROUP BY d.document, d.searchable_version, d.date
ORDER BY d.date DESC, d.document DESC
LIMIT $3;
