-- Pooled sources and the references to them.

-- name: source_find
-- + 0, because SQLite compares an argument with the conditions of the partial
-- indexes, and then plans the statement anew at every call.
SELECT source FROM source
WHERE tenant = $1 AND pool = $2 AND digest = $3 AND document + 0 = $4
  AND version = $5;

-- name: source_insert
-- A second node that pools the same source at once violates the key, is
-- redone, and finds the first one's row.
INSERT INTO source
    (tenant, source, pool, digest, document, version, source_type, source_key,
     source_id, preview, title, url, course_id, owner_id, document_id,
     lecture_id, date, s3key, meta, slide_number, start_seconds, end_seconds,
     part, locator, redacted, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21, $22, $23, $24, $25, $26);

-- name: source_get
-- With the document that it cites, which says what became of it.
SELECT {source_sealed}, {document_sealed}
FROM source c
LEFT JOIN document d ON d.tenant = c.tenant AND d.document = c.document
WHERE c.tenant = $1 AND c.source = $2;

-- name: sources_bind
-- A document came to the course in which sources have named it before.  No
-- row can cite it yet, so no key is violated.  (a | b) - (a & b) is the
-- exclusive or, on both engines.
UPDATE source
SET document = $1, version = 1,
    seal = (seal | CAST($2 AS bigint)) - (seal & CAST($2 AS bigint))
WHERE tenant = $3 AND pool = $4
  AND coalesce(document_id, lecture_id) = $5 AND document = 0;

-- name: sources_citing
-- A page of them, by key.
SELECT {source_sealed} FROM source c
WHERE c.tenant = $1 AND c.document = $2 AND c.document > 0 AND c.source > $3
ORDER BY c.source
LIMIT $4;

-- name: source_redact
-- The text goes, the digest stays: it still proves which source it was.
UPDATE source
SET preview = NULL, meta = NULL, locator = NULL, redacted = 1,
    seal = (seal | CAST($1 AS bigint)) - (seal & CAST($1 AS bigint))
WHERE tenant = $2 AND source = $3;

-- name: sources_of @sqlite
-- The sources of a list, a JSON array of keys, by document.  LEFT makes a
-- planner begin with the list: a source that is not there is a row of NULLs.
SELECT c.source, c.digest, c.title, c.preview, c.source_type, c.document,
       c.source_key
FROM json_each($1) k
LEFT JOIN source c ON c.tenant = $2 AND c.source = k.value
ORDER BY 6, 7;

-- name: sources_of @postgres
SELECT c.source, c.digest, c.title, c.preview, c.source_type, c.document,
       c.source_key
FROM unnest(CAST(translate($1, '[]', '{}') AS integer[])) k
LEFT JOIN source c ON c.tenant = $2 AND c.source = k
ORDER BY 6, 7;

-- name: refs_get
-- What [n] means in a message.
SELECT refs FROM message WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: refs_put
-- The caller has locked the session's row, so nobody else changes them.
UPDATE message SET refs = $1 WHERE tenant = $2 AND session = $3 AND seq = $4;

-- name: refs_from
-- References of all messages from an ordinal on.
SELECT seq, role, id, shown, refs FROM message
WHERE tenant = $1 AND session = $2 AND seq >= $3 AND refs IS NOT NULL
ORDER BY seq;

-- name: refs_clear
UPDATE message SET refs = NULL
WHERE tenant = $1 AND session = $2 AND refs IS NOT NULL;

-- name: ref_insert
-- The way back.
INSERT INTO source_reference (tenant, session, seq, number, source, cited)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: refs_insert
-- Four of one message cost a server hardly more than one.
INSERT INTO source_reference (tenant, session, seq, number, source, cited)
VALUES ($1, $2, $3, $4, $5, $6), ($1, $2, $3, $7, $8, $9),
       ($1, $2, $3, $10, $11, $12), ($1, $2, $3, $13, $14, $15);

-- name: ref_cite
UPDATE source_reference SET cited = $1
WHERE tenant = $2 AND source = $3 AND session = $4 AND seq = $5
  AND number = $6;

-- name: refs_delete
-- All references to a source in a session.
DELETE FROM source_reference
WHERE tenant = $1 AND source = $2 AND session = $3;

-- name: citations_of_document @postgres
-- The way back: document -> sources -> references -> the asker's answers.
-- Document 0 is one that is not kept here: sources that only name it.
-- Sources that a caller retrieved for a question count for the answer that
-- shows them.  The cursor is (session, seq, number) of the reference.
SELECT r.source, r.number, r.cited, r.session, r.seq, m.seq AS answer
FROM (SELECT b.tenant, b.source FROM source b
      WHERE b.document = $1 AND b.document > 0 AND b.tenant = $2
      UNION ALL
      SELECT n.tenant, n.source FROM source n
      WHERE coalesce(n.document_id, n.lecture_id) = $3 AND n.document = 0
        AND CAST($1 AS bigint) = 0 AND n.tenant = $2) c
JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN message q
    ON q.tenant = r.tenant AND q.session = r.session AND q.seq = r.seq
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq =
       CASE WHEN q.role = {ROLE_ASSISTANT} THEN q.seq
            ELSE (SELECT min(a.seq) FROM message a
                  WHERE a.tenant = q.tenant AND a.session = q.session
                    AND a.seq > q.seq AND a.role IN ({ROLE_USER}, {ROLE_ASSISTANT})
                    AND a.shown = {SHOWN_ON})
       END
WHERE s.owner = $4 AND s.deleted_ms IS NULL
  AND m.role = {ROLE_ASSISTANT}
  AND (q.role = {ROLE_ASSISTANT}
       OR (q.shown = {SHOWN_ON} AND m.refs IS NULL))
  AND (r.session, r.seq, r.number) > ($5, $6, $7)
ORDER BY r.session, r.seq, r.number
LIMIT $8;

-- name: citations_of_document @sqlite
-- The same in the order that is written: SQLite would begin with all messages
-- of the tenant.
SELECT r.source, r.number, r.cited, r.session, r.seq, m.seq AS answer
FROM (SELECT b.tenant, b.source FROM source b
      WHERE b.document = $1 AND b.document > 0 AND b.tenant = $2
      UNION ALL
      SELECT n.tenant, n.source FROM source n
      WHERE coalesce(n.document_id, n.lecture_id) = $3 AND n.document = 0
        AND CAST($1 AS bigint) = 0 AND n.tenant = $2) c
CROSS JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
CROSS JOIN session s ON s.tenant = r.tenant AND s.session = r.session
CROSS JOIN message q
    ON q.tenant = r.tenant AND q.session = r.session AND q.seq = r.seq
CROSS JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq =
       CASE WHEN q.role = {ROLE_ASSISTANT} THEN q.seq
            ELSE (SELECT min(a.seq) FROM message a
                  WHERE a.tenant = q.tenant AND a.session = q.session
                    AND a.seq > q.seq AND a.role IN ({ROLE_USER}, {ROLE_ASSISTANT})
                    AND a.shown = {SHOWN_ON})
       END
WHERE s.owner = $4 AND s.deleted_ms IS NULL
  AND m.role = {ROLE_ASSISTANT}
  AND (q.role = {ROLE_ASSISTANT}
       OR (q.shown = {SHOWN_ON} AND m.refs IS NULL))
  AND (r.session, r.seq, r.number) > ($5, $6, $7)
ORDER BY r.session, r.seq, r.number
LIMIT $8;

-- name: document_references @postgres
-- References to a document, and whose they are; no more than $3 are looked at.
SELECT x.session, x.seq, x.cited, x.version, x.redacted,
       (SELECT s.owner FROM session s
        WHERE s.tenant = x.tenant AND s.session = x.session) AS owner
FROM (SELECT r.tenant, r.session, r.seq, r.cited, c.version, c.redacted
      FROM source c
      JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
      WHERE c.document = $1 AND c.document > 0 AND c.tenant = $2
      LIMIT $3) x;

-- name: document_references @sqlite
SELECT x.session, x.seq, x.cited, x.version, x.redacted,
       (SELECT s.owner FROM session s
        WHERE s.tenant = x.tenant AND s.session = x.session) AS owner
FROM (SELECT r.tenant, r.session, r.seq, r.cited, c.version, c.redacted
      FROM source c
      CROSS JOIN source_reference r
          ON r.tenant = c.tenant AND r.source = c.source
      WHERE c.document = $1 AND c.document > 0 AND c.tenant = $2
      LIMIT $3) x;

-- name: answer_that_shows
-- The answer that shows the references of a message: its own, or those of what
-- was retrieved for its question.
SELECT m.seq
FROM message q
JOIN message m
    ON m.tenant = q.tenant AND m.session = q.session AND m.seq =
       CASE WHEN q.role = {ROLE_ASSISTANT} THEN q.seq
            ELSE (SELECT min(a.seq) FROM message a
                  WHERE a.tenant = q.tenant AND a.session = q.session
                    AND a.seq > q.seq AND a.role IN ({ROLE_USER}, {ROLE_ASSISTANT})
                    AND a.shown = {SHOWN_ON})
       END
WHERE q.tenant = $1 AND q.session = $2 AND q.seq = $3
  AND m.role = {ROLE_ASSISTANT}
  AND (q.role = {ROLE_ASSISTANT}
       OR (q.shown = {SHOWN_ON} AND m.refs IS NULL));

-- name: count_of_document @postgres
-- Answers that cite it.  $3: only those of this account; 0: all.
SELECT count(*) AS cited_n
FROM (SELECT r.session, r.seq
      FROM source c
      JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
      WHERE c.document = $1 AND c.document > 0 AND c.tenant = $2
        AND r.cited = 1
        AND (CAST($3 AS bigint) = 0
             OR EXISTS (SELECT 1 FROM session s
                        WHERE s.tenant = r.tenant AND s.session = r.session
                          AND s.owner = $3))
      GROUP BY r.session, r.seq) f;

-- name: count_of_document @sqlite
SELECT count(*) AS cited_n
FROM (SELECT r.session, r.seq
      FROM source c
      CROSS JOIN source_reference r
          ON r.tenant = c.tenant AND r.source = c.source
      WHERE c.document = $1 AND c.document > 0 AND c.tenant = $2
        AND r.cited = 1
        AND (CAST($3 AS bigint) = 0
             OR EXISTS (SELECT 1 FROM session s
                        WHERE s.tenant = r.tenant AND s.session = r.session
                          AND s.owner = $3))
      GROUP BY r.session, r.seq) f;

-- name: counts_of_course @postgres
-- Answers per document: several passages of it in one answer count once.
-- $1: only those of this account; 0: all.
SELECT {document_sealed}, g.given_n, g.cited_n
FROM (SELECT f.document, count(f.seq) AS given_n, sum(f.cited) AS cited_n
      FROM (SELECT d.document, r.session, r.seq,
             max(coalesce(r.cited, 0)) AS cited
      FROM document d
      LEFT JOIN source c
          ON c.tenant = d.tenant AND c.document = d.document
             AND c.document > 0
      LEFT JOIN source_reference r
          ON r.tenant = c.tenant AND r.source = c.source
             AND (CAST($1 AS bigint) = 0
                  OR EXISTS (SELECT 1 FROM session s
                             WHERE s.tenant = r.tenant
                               AND s.session = r.session AND s.owner = $1))
      WHERE d.tenant = $2 AND d.course = $3 AND d.deleted_ms IS NULL
      GROUP BY d.document, r.session, r.seq) f
      GROUP BY f.document) g
JOIN document d ON d.tenant = $2 AND d.document = g.document
ORDER BY g.cited_n DESC, g.given_n DESC, d.document
LIMIT $4;

-- name: counts_of_course @sqlite
-- The same.  A + keeps SQLite from the tenant's documents.
SELECT {document_sealed}, g.given_n, g.cited_n
FROM (SELECT f.document, count(f.seq) AS given_n, sum(f.cited) AS cited_n
      FROM (SELECT d.document, r.session, r.seq,
             max(coalesce(r.cited, 0)) AS cited
      FROM document d
      LEFT JOIN source c
          ON c.tenant = d.tenant AND c.document = d.document
             AND c.document > 0
      LEFT JOIN source_reference r
          ON r.tenant = c.tenant AND r.source = c.source
             AND (CAST($1 AS bigint) = 0
                  OR EXISTS (SELECT 1 FROM session s
                             WHERE s.tenant = r.tenant
                               AND s.session = r.session AND s.owner = $1))
      WHERE +d.tenant = $2 AND d.course = $3 AND d.deleted_ms IS NULL
      GROUP BY d.document, r.session, r.seq) f
      GROUP BY f.document) g
JOIN document d ON d.tenant = $2 AND d.document = g.document
ORDER BY g.cited_n DESC, g.given_n DESC, d.document
LIMIT $4;

-- name: days_of_course @postgres
-- Citations by the day (UTC) of their answers.  $4 as $1 above.
SELECT m.created_ms - m.created_ms % 86400000 AS day,
       count(*) AS citations_n
FROM document d
JOIN source c
    ON c.tenant = d.tenant AND c.document = d.document AND c.document > 0
JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND r.cited = 1 AND m.created_ms >= $3
  AND (CAST($4 AS bigint) = 0 OR m.owner = CAST($4 AS bigint))
GROUP BY m.created_ms - m.created_ms % 86400000
ORDER BY day;

-- name: days_of_course @sqlite
-- The same, see both above.
SELECT m.created_ms - m.created_ms % 86400000 AS day,
       count(*) AS citations_n
FROM document d
CROSS JOIN source c
    ON c.tenant = d.tenant AND c.document = d.document AND c.document > 0
CROSS JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
CROSS JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
WHERE +d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND r.cited = 1 AND m.created_ms >= $3
  AND (CAST($4 AS bigint) = 0 OR m.owner = CAST($4 AS bigint))
GROUP BY m.created_ms - m.created_ms % 86400000
ORDER BY day;
