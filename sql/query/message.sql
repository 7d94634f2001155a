-- Messages.

-- columns: message_row
{message_sealed}, shown;

-- name: message_find
-- A message id belongs to the user who brought it.
SELECT {message_row}, saved_digest
FROM message
WHERE tenant = $1 AND owner = $2 AND id = $3;

-- name: message_insert @postgres
-- A second node that saves the same id at once violates the key, is redone,
-- and finds the first one's row.
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, parent, seal, saved_digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21);

-- name: message_insert @sqlite
-- The same; rows lie by `place`, and so a session's rows lie together.
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, parent, seal, saved_digest,
     place)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21,
        ($1 << 48) | ($2 << 20) | $3);

-- name: message_insert_far @postgres
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, parent, seal, saved_digest)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21);

-- name: message_insert_far @sqlite
-- For numbers that do not fit in there: below all others, where no other row
-- will ever belong.
INSERT INTO message
    (tenant, session, seq, owner, id, role, status, created_ms, content,
     digest, low_confidence, doc_refs, rag_source_ids, web_source_ids,
     image_s3key, image_slide, image_page, refs, parent, seal, saved_digest,
     place)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
        $17, $18, $19, $20, $21,
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

-- name: message_leaf
-- The last message that is shown: the next one follows it.
SELECT seq FROM message
WHERE tenant = $1 AND session = $2 AND shown = {SHOWN_ON}
ORDER BY seq DESC
LIMIT 1;

-- name: message_nodes
-- The tree of a session's messages.
SELECT seq, parent, shown, role FROM message
WHERE tenant = $1 AND session = $2
ORDER BY seq;

-- name: message_hidden
SELECT 1 AS found FROM message
WHERE session = $1 AND tenant = $2 AND shown <> {SHOWN_ON}
LIMIT 1;

-- name: message_show @sqlite
-- $4: a JSON array of ordinals.
UPDATE message SET shown = $1
WHERE tenant = $2 AND session = $3
  AND seq IN (SELECT k.value FROM json_each($4) k);

-- name: message_show @postgres
UPDATE message SET shown = $1
WHERE tenant = $2 AND session = $3
  AND seq = ANY (CAST(translate($4, '[]', '{}') AS integer[]));

-- name: messages_of
SELECT {message_sealed} FROM message WHERE tenant = $1 AND session = $2;

-- name: message_parent
-- What stands in front of a message.
SELECT p.seq, p.role, p.id
FROM message m
JOIN message p
    ON p.tenant = m.tenant AND p.session = m.session AND p.seq = m.parent
WHERE m.tenant = $1 AND m.session = $2 AND m.seq = $3;

-- name: message_after
-- What follows a message that is shown.
SELECT seq, role, content FROM message
WHERE tenant = $1 AND session = $2 AND seq > $3 AND role IN ({ROLE_USER}, {ROLE_ASSISTANT})
  AND shown = {SHOWN_ON}
ORDER BY seq
LIMIT 1;

-- name: answer_to
-- The answer to a question: the one that is shown, else the newest.
SELECT seq, id, status FROM message
WHERE tenant = $1 AND session = $2 AND seq > $3 AND parent = $3
  AND role = {ROLE_ASSISTANT}
ORDER BY CASE WHEN shown = {SHOWN_OFF} THEN 0 ELSE 1 END DESC, seq DESC
LIMIT 1;

-- name: answers_borrowing
-- Answers on the path that is shown that show what was retrieved for their
-- question, which has other answers: its references carry the marks of one.
SELECT a.seq, a.content
FROM message a
JOIN message q
    ON q.tenant = a.tenant AND q.session = a.session AND q.seq = a.parent
WHERE a.tenant = $1 AND a.session = $2 AND a.shown = {SHOWN_ON}
  AND a.role = {ROLE_ASSISTANT} AND a.refs IS NULL AND a.content IS NOT NULL
  AND q.role = {ROLE_USER} AND q.refs IS NOT NULL
  AND EXISTS (SELECT 1 FROM message o
              WHERE o.session = a.session AND o.tenant = a.tenant
                AND o.shown <> {SHOWN_ON} AND o.parent = a.parent)
ORDER BY a.seq;

-- name: history_brief @postgres
-- By names, so that a history is asked for in one round trip.
SELECT {message_row}
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
SELECT {message_row}
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
SELECT {message_row}
FROM message
WHERE (tenant, session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY seq;

-- name: history_page
-- Newest first; the reader turns them round.  Of a session without branches.
SELECT {message_row}
FROM message
WHERE tenant = $1 AND session = $2 AND seq < $3
ORDER BY seq DESC
LIMIT $4;

-- name: history_one
SELECT {message_row}
FROM message
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: session_images
-- Answers with a page picture; a picture that came with a question is on the
-- question.
-- Not IS NOT NULL, which would offer a planner the index of all pictures.
SELECT {message_row}
FROM message
WHERE tenant = $1 AND session = $2 AND coalesce(length(image_s3key), -1) >= 0
  AND role = {ROLE_ASSISTANT} AND shown = {SHOWN_ON}
ORDER BY seq;

-- name: message_taken @sqlite
-- Which of these ids somebody's messages have; $3: a JSON array.
SELECT id FROM message
WHERE tenant = $1 AND owner = $2
  AND id IN (SELECT k.value FROM json_each($3) k)
LIMIT 1;

-- name: message_taken @postgres
SELECT id FROM message
WHERE tenant = $1 AND owner = $2
  AND id IN (SELECT jsonb_array_elements_text(CAST(CAST($3 AS text) AS jsonb)))
LIMIT 1;

-- name: message_limit
-- What a question is limited to, under the seal, which the caller has opened.
UPDATE message SET scope = $1 WHERE tenant = $2 AND session = $3 AND seq = $4;

-- name: message_rest
-- What a message that comes from elsewhere has besides: it is under the seal,
-- which the caller has opened.
UPDATE message
SET late_from = $1, model = $2, failure = $3, tokens_in = $4, tokens_out = $5,
    feedback = $6
WHERE tenant = $7 AND session = $8 AND seq = $9;

-- name: message_feedback
-- The same.
UPDATE message SET feedback = $1
WHERE tenant = $2 AND session = $3 AND seq = $4;
