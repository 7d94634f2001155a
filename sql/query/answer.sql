-- Running answers.  A holder that was taken over changes nothing: a write names
-- the holder's epoch, or comes after lease_take, or after others_wrote has told
-- that the lease in memory is still true, or before leases_check, which undoes
-- the transaction where it is not.

-- columns: lease
epoch, parts, node;

-- name: lease_open
-- Two nodes at once: the second violates the key, is redone, and finds the
-- session running.
INSERT INTO answer_lease
    (tenant, session, seq, epoch, node, until_ms, numbers_from)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: lease_any
SELECT seq, epoch, until_ms, node FROM answer_lease
WHERE tenant = $1 AND session = $2 LIMIT 1;

-- name: lease_find
SELECT {lease} FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: lease_take @sqlite
-- The same for a writer: nobody takes the lease away before the commit.
-- Here the transaction has the database to itself.
SELECT {lease} FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: lease_take @postgres
SELECT {lease} FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3 FOR NO KEY UPDATE;

-- name: others_wrote @sqlite
-- Changes when another connection has written since it was last asked.
PRAGMA data_version;

-- name: others_wrote @postgres
-- Not asked here: others may always write.
SELECT 0 AS data_version;

-- name: leases_check @sqlite
-- Not asked here: others_wrote was.
SELECT count(*) AS held_n FROM (SELECT $1, $2, $3) AS held;

-- name: leases_check @postgres
-- Counts the leases that are there, and locks them until the commit.
SELECT count(*) AS held_n FROM (
    SELECT 1
    FROM unnest(CAST(translate($1, '[]', '{}') AS bigint[]),
                CAST(translate($2, '[]', '{}') AS bigint[]),
                CAST(translate($3, '[]', '{}') AS bigint[]))
         AS k (tenant, session, epoch)
    JOIN answer_lease l ON l.tenant = k.tenant AND l.session = k.session
                       AND l.epoch = k.epoch
    FOR NO KEY UPDATE OF l
) AS held;

-- name: lease_step
UPDATE answer_lease SET parts = $1, until_ms = $2
WHERE tenant = $3 AND session = $4;

-- name: lease_hold
UPDATE answer_lease SET until_ms = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND epoch = $5
RETURNING numbers_from;

-- name: lease_close
DELETE FROM answer_lease
WHERE tenant = $1 AND session = $2 AND seq = $3 AND epoch = $4
RETURNING {lease};

-- name: lease_all
-- A small table: only what is running now.
SELECT tenant, session, seq, epoch, node, until_ms, parts FROM answer_lease;

-- name: lease_renew
UPDATE answer_lease SET until_ms = $1 WHERE node = $2;

-- name: text_add
INSERT INTO answer_text (tenant, session, seq, part, text, seal)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: text_read
SELECT {text_sealed} FROM answer_text a
WHERE a.tenant = $1 AND a.session = $2 AND a.seq = $3
ORDER BY a.part;

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
WHERE tenant = $13 AND session = $14 AND seq = $15 AND status = {STATUS_STREAMING};

-- name: answer_late
-- Notes that text was there before these sources.
UPDATE message SET late_from = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND late_from IS NULL;

-- name: text_bytes
SELECT coalesce(sum(length(text)), 0) AS bytes FROM answer_text
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: answer_confidence
UPDATE message SET low_confidence = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND status = {STATUS_STREAMING};

-- name: word_log_add
INSERT INTO answer_word_log (node, at, pieces) VALUES ($1, $2, $3);

-- name: word_log_all
SELECT node, pieces, at FROM answer_word_log ORDER BY at;

-- name: word_log_cut
DELETE FROM answer_word_log WHERE node = $1 AND at <= $2;

-- name: word_log_drop
-- Deletes the rows of nodes without running answers: a piece never comes before
-- its lease.
DELETE FROM answer_word_log
WHERE node <> $1 AND node NOT IN (SELECT node FROM answer_lease);
