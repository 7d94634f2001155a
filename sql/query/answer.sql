-- Running answers.  Every write names the holder's epoch in its own
-- statement: a holder that was taken over changes nothing.

-- name: lease_open
-- Two nodes at once: the second violates the key, is redone, and finds the
-- session running.
INSERT INTO answer_lease
    (tenant, session, seq, epoch, node, until_ms, numbers_from)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: lease_any
SELECT seq, epoch FROM answer_lease
WHERE tenant = $1 AND session = $2 LIMIT 1;

-- name: lease_find
SELECT epoch, parts FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: lease_step @sqlite
-- One more part, if the holder knows how many there are: a repeat finds its
-- own step already taken.
UPDATE answer_lease
SET parts = parts + 1, until_ms = $1, text = CAST(text || $2 AS BLOB)
WHERE tenant = $3 AND session = $4 AND seq = $5 AND epoch = $6 AND parts = $7;

-- name: lease_step @postgres
UPDATE answer_lease
SET parts = parts + 1, until_ms = $1, text = text || $2
WHERE tenant = $3 AND session = $4 AND seq = $5 AND epoch = $6 AND parts = $7;

-- name: lease_emptied
-- The same once text_add has taken its text.
UPDATE answer_lease SET parts = parts + 1, until_ms = $1, text = $2
WHERE tenant = $3 AND session = $4;

-- name: lease_hold
UPDATE answer_lease SET until_ms = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND epoch = $5
RETURNING numbers_from;

-- name: lease_close
DELETE FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3 AND epoch = $4
RETURNING text;

-- name: lease_all
-- A small table: only what is running now.
SELECT tenant, session, seq, epoch, node, until_ms FROM answer_lease;

-- name: lease_renew
UPDATE answer_lease SET until_ms = $1 WHERE node = $2;

-- name: text_add @sqlite
-- What the lease has gathered and one more part, if the holder knows how many
-- there are.
INSERT INTO answer_text (tenant, session, seq, part, text)
SELECT tenant, session, seq, parts, CAST(text || $1 AS BLOB)
FROM answer_lease
WHERE tenant = $2 AND session = $3 AND seq = $4 AND epoch = $5 AND parts = $6;

-- name: text_add @postgres
INSERT INTO answer_text (tenant, session, seq, part, text)
SELECT tenant, session, seq, parts, text || $1
FROM answer_lease
WHERE tenant = $2 AND session = $3 AND seq = $4 AND epoch = $5 AND parts = $6;

-- name: text_read
SELECT text FROM (
    SELECT part, text FROM answer_text
    WHERE tenant = $1 AND session = $2 AND seq = $3
    UNION ALL
    SELECT parts, text FROM answer_lease
    WHERE tenant = $1 AND session = $2 AND seq = $3) AS pieces
ORDER BY part;

-- name: text_trim
DELETE FROM answer_text WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: answer_end
-- One end, for ever: only a streaming answer can end.
UPDATE message
SET status = $1, content = $2, digest = $3,
    saved_digest = coalesce(saved_digest, $3),
    low_confidence = coalesce($4, low_confidence), failure = $5,
    doc_refs = coalesce($6, doc_refs),
    image_s3key = coalesce($7, image_s3key),
    image_slide = coalesce($8, image_slide),
    image_page = coalesce($9, image_page),
    model = $10, tokens_in = $11, tokens_out = $12
WHERE tenant = $13 AND session = $14 AND seq = $15 AND status = 4;

-- name: answer_late
-- Text was there before these sources.
UPDATE message SET late_from = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND late_from IS NULL;

-- name: lease_held
-- A lease without a node is held by whoever asks in its user's name.
SELECT epoch, parts, node FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: text_bytes
SELECT coalesce(sum(length(text)), 0) FROM (
    SELECT text FROM answer_text
    WHERE tenant = $1 AND session = $2 AND seq = $3
    UNION ALL
    SELECT text FROM answer_lease
    WHERE tenant = $1 AND session = $2 AND seq = $3) AS pieces;

-- name: answer_confidence
UPDATE message SET low_confidence = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND status = 4;
