-- Messages.

-- name: message_find
-- A message id belongs to the user who brought it.
SELECT {message_sealed}, saved_digest
FROM message
WHERE tenant = $1 AND owner = $2 AND id = $3;

-- name: message_insert @postgres
-- A second node that saves the same id at once violates the key, is redone,
-- and finds the first one's row.
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, seal, saved_digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20);

-- name: message_insert @sqlite
-- The same; rows lie by `place`, and so a session's rows lie together.
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, seal, saved_digest, place)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, ($1 << 48) | ($2 << 20) | $3);

-- name: message_insert_far @postgres
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, seal, saved_digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20);

-- name: message_insert_far @sqlite
-- For numbers that do not fit in there: below all others, where no other row
-- will ever belong.
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, seal, saved_digest, place)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20,
        (SELECT min(coalesce(min(m.place), 0), 0) - 1 FROM message m));

-- name: message_fill
-- A placeholder gets its content; its ordinal and sources stay.
UPDATE message
SET status = $1, created_ms = $2, content = $3, digest = $4,
    saved_digest = $5, low_confidence = $6, doc_refs = $7,
    rag_source_ids = $8, web_source_ids = $9, image_s3key = $10,
    image_slide = $11, image_page = $12
WHERE tenant = $13 AND session = $14 AND seq = $15 AND saved_digest IS NULL;

-- name: message_redigest
UPDATE message SET digest = $1 WHERE tenant = $2 AND session = $3 AND seq = $4;

-- name: message_redigest_all
-- After a session's references are gone its answers' digests must be made
-- anew; this lists what they are made of.
SELECT seq, role, content FROM message
WHERE tenant = $1 AND session = $2 AND digest IS NOT NULL
ORDER BY seq;

-- name: message_content
SELECT role, content FROM message
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: message_rename
-- An edited question gives its id to the new version.
UPDATE message SET id = $1 WHERE tenant = $2 AND session = $3 AND seq = $4;

-- name: message_replace
UPDATE message SET replaced_by = $1
WHERE tenant = $2 AND session = $3 AND seq >= $4 AND seq <= $5
  AND replaced_by IS NULL;

-- name: messages_shown
-- Those, for their seals.
SELECT {message_sealed} FROM message
WHERE tenant = $1 AND session = $2 AND seq >= $3 AND seq <= $4
  AND replaced_by IS NULL;

-- name: messages_of
SELECT {message_sealed} FROM message WHERE tenant = $1 AND session = $2;

-- name: message_before
-- The nearest message of a role in front of an ordinal, replaced ones apart.
SELECT seq FROM message
WHERE tenant = $1 AND session = $2 AND seq < $3 AND role = $4
  AND replaced_by IS NULL
ORDER BY seq DESC
LIMIT 1;

-- name: message_in_front
-- What an answer answers: a question lends it sources, another answer none.
SELECT seq, role FROM message
WHERE tenant = $1 AND session = $2 AND seq < $3 AND role IN ({ROLE_USER}, {ROLE_ASSISTANT})
  AND replaced_by IS NULL
ORDER BY seq DESC
LIMIT 1;

-- name: message_after
SELECT seq, role, content FROM message
WHERE tenant = $1 AND session = $2 AND seq > $3 AND role IN ({ROLE_USER}, {ROLE_ASSISTANT})
  AND replaced_by IS NULL
ORDER BY seq
LIMIT 1;

-- name: answer_after
-- The newest answer to a question.
SELECT id, status FROM message
WHERE tenant = $1 AND session = $2 AND seq > $3 AND role = {ROLE_ASSISTANT}
  AND replaced_by IS NULL
ORDER BY seq
LIMIT 1;

-- name: history_brief @postgres
-- By names, so that a history is asked for in one round trip.
SELECT {message_sealed}
FROM message
WHERE (tenant, session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY seq;

-- name: history_brief @sqlite
-- The same as one walk through the table, without an index look-up for each
-- row.  A reader that gets fewer rows than the session has, because some
-- are far, asks for history_all.
SELECT {message_sealed}
FROM (SELECT s.tenant AS of_tenant, s.session AS of_session
      FROM tenant t
      JOIN account a ON a.tenant = t.tenant AND a.name = $1
      JOIN session s ON s.tenant = t.tenant AND s.owner = a.account
                    AND s.id = $2
      WHERE t.name = $3)
CROSS JOIN message NOT INDEXED
WHERE place BETWEEN (of_tenant << 48) | (of_session << 20)
                AND (of_tenant << 48) | (of_session << 20) | 1048575
  AND tenant = of_tenant AND session = of_session
ORDER BY place;

-- name: history_all
SELECT {message_sealed}
FROM message
WHERE (tenant, session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY seq;

-- name: history_page
-- Newest first; the reader turns them round.  $4: 1 shows replaced ones too.
SELECT {message_sealed}
FROM message
WHERE tenant = $1 AND session = $2 AND seq < $3
  AND (replaced_by IS NULL OR CAST($4 AS bigint) = 1)
ORDER BY seq DESC
LIMIT $5;

-- name: history_one
SELECT {message_sealed}
FROM message
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: session_images
-- Answers with a page picture; a picture that came with a question is on the
-- question.
-- Not IS NOT NULL, which would offer a planner the index of all pictures.
SELECT {message_sealed}
FROM message
WHERE tenant = $1 AND session = $2 AND coalesce(length(image_s3key), -1) >= 0
  AND role = {ROLE_ASSISTANT} AND replaced_by IS NULL
ORDER BY seq;
