-- Pooled sources and the references to them.

-- name: source_find
SELECT source FROM course_sources
WHERE tenant = $1 AND pool = $2 AND digest = $3 AND version = $4;

-- name: source_insert
-- A second node that pools the same source at once violates the key, is
-- redone, and finds the first one's row.
INSERT INTO course_sources
    (tenant, source, pool, digest, version, source_type, source_key, source_id,
     preview, title, url, course_id, owner_id, document_id, lecture_id, date,
     s3key, meta, slide_number, start_seconds, end_seconds, part)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21, $22);

-- name: source_get
SELECT pool, digest, version, source_type, source_key, source_id, preview,
       title, url, course_id, owner_id, document_id, lecture_id, date, s3key,
       meta, slide_number, start_seconds, end_seconds, part, redacted
FROM course_sources
WHERE tenant = $1 AND source = $2;

-- name: sources_redact
-- The text goes, the digest stays: it still proves which source it was.  What
-- was cited elsewhere before the document was kept is not of this document.
UPDATE course_sources
SET preview = NULL, meta = NULL, redacted = 1
WHERE tenant = $1 AND coalesce(document_id, lecture_id) = $2
  AND (version > 0 OR pool = $3);

-- name: ref_insert
INSERT INTO message_source_refs
    (tenant, session, seq, number, source, support, spans, score)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: refs_insert
-- Four of one message: to a server hardly dearer than one.
INSERT INTO message_source_refs
    (tenant, session, seq, number, source, support, spans, score)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($1, $2, $3, $9, $10, $11, $12, $13),
       ($1, $2, $3, $14, $15, $16, $17, $18),
       ($1, $2, $3, $19, $20, $21, $22, $23);

-- name: ref_mark
UPDATE message_source_refs SET support = $1, spans = $2
WHERE tenant = $3 AND session = $4 AND seq = $5 AND number = $6;

-- name: refs_load
-- With what a change to the message needs of the sources.
SELECT r.number, r.source, r.support, r.spans, r.score, c.digest, c.preview,
       c.source_type
FROM message_source_refs r
JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
WHERE r.tenant = $1 AND r.session = $2 AND r.seq = $3
ORDER BY r.number;

-- name: refs_range
-- Without a join: sources are immutable and come from the cache.
SELECT seq, number, source, support, spans, score
FROM message_source_refs
WHERE tenant = $1 AND session = $2 AND seq >= $3 AND seq <= $4
ORDER BY seq, number;

-- name: refs_top
-- The highest number used from an ordinal on, replaced messages apart.
SELECT max(r.number)
FROM message_source_refs r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
WHERE r.tenant = $1 AND r.session = $2 AND r.seq >= $3
  AND m.replaced_by IS NULL;

-- name: citations_of_document
-- The way back: document -> sources -> references -> the asker's answers.
-- What a caller retrieved for a question is cited by the answer that shows
-- it.  The cursor is (session, seq, number) of the reference.  No NOT EXISTS:
-- a planner may answer that by reading all references first.
SELECT s.id, m.id, r.number, r.spans IS NOT NULL, m.created_ms,
       r.session, r.seq
FROM course_sources c
JOIN message_source_refs r ON r.tenant = c.tenant AND r.source = c.source
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN message q
    ON q.tenant = r.tenant AND q.session = r.session AND q.seq = r.seq
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq =
       CASE WHEN q.role = 2 THEN q.seq
            ELSE (SELECT min(a.seq) FROM message a
                  WHERE a.tenant = q.tenant AND a.session = q.session
                    AND a.seq > q.seq AND a.role IN (1, 2)
                    AND a.replaced_by IS NULL)
       END
WHERE c.tenant = $1 AND coalesce(c.document_id, c.lecture_id) = $2
  AND s.owner = $3 AND s.deleted_ms IS NULL
  AND m.role = 2
  AND (q.role = 2
       OR (q.replaced_by IS NULL
           AND (SELECT min(o.number) FROM message_source_refs o
                WHERE o.tenant = m.tenant AND o.session = m.session
                  AND o.seq = m.seq) IS NULL))
  AND (r.session, r.seq, r.number) > ($4, $5, $6)
ORDER BY r.session, r.seq, r.number
LIMIT $7;

-- name: counts_of_course
-- Answers per document: several passages of it in one answer count once.
SELECT g.id, g.title, count(g.seq), sum(g.cited)
FROM (SELECT d.document, d.id, d.title, r.session, r.seq,
             max(CASE WHEN r.spans IS NULL THEN 0 ELSE 1 END) AS cited
      FROM document d
      LEFT JOIN course_sources c
          ON c.tenant = d.tenant
             AND coalesce(c.document_id, c.lecture_id) = d.id
      LEFT JOIN message_source_refs r
          ON r.tenant = c.tenant AND r.source = c.source
      WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
      GROUP BY d.document, d.id, d.title, r.session, r.seq) g
GROUP BY g.document, g.id, g.title
ORDER BY sum(g.cited) DESC, count(g.seq) DESC, g.document
LIMIT $3;

-- name: days_of_course
-- Citations by the day (UTC) of their answers.
SELECT m.created_ms - m.created_ms % 86400000 AS day, count(*)
FROM document d
JOIN course_sources c
    ON c.tenant = d.tenant AND coalesce(c.document_id, c.lecture_id) = d.id
JOIN message_source_refs r ON r.tenant = c.tenant AND r.source = c.source
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND r.spans IS NOT NULL AND m.created_ms >= $3
GROUP BY m.created_ms - m.created_ms % 86400000
ORDER BY day;
