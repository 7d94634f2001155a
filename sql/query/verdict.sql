-- Verdicts on the sentences of answers.

-- name: verdict_digests
-- The session's row is locked by then, so the next number is free.
SELECT record, digest FROM verdict
WHERE tenant = $1 AND session = $2 AND seq = $3
ORDER BY record;

-- name: verdict_insert
INSERT INTO verdict
    (tenant, session, seq, record, created_ms, judge, digest, sentences, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: verdicts_of_session
SELECT {verdict_sealed} FROM verdict v
WHERE v.tenant = $1 AND v.session = $2
ORDER BY v.seq, v.record;

-- name: verdicts_of_message
SELECT {verdict_sealed} FROM verdict v
WHERE v.tenant = $1 AND v.session = $2 AND v.seq = $3
ORDER BY v.record;

-- name: history_verdicts
-- The same by names.
SELECT {verdict_sealed} FROM verdict v
WHERE (v.tenant, v.session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY v.seq, v.record;
