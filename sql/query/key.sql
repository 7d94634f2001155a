-- Idempotency keys.

-- name: key_find
SELECT request, status, response FROM idempotency_key
WHERE tenant = $1 AND account = $2 AND scope = $3 AND key = $4;

-- name: key_claim
-- Two requests at once: the second inserts nothing and reads the first's.
INSERT INTO idempotency_key (tenant, account, scope, key, request, created_ms)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, account, scope, key) DO NOTHING
RETURNING created_ms;

-- name: key_finish
UPDATE idempotency_key SET status = $1, response = $2
WHERE tenant = $3 AND account = $4 AND scope = $5 AND key = $6;

-- name: key_drop
DELETE FROM idempotency_key
WHERE tenant = $1 AND account = $2 AND scope = $3 AND key = $4;

-- name: keys_expire
DELETE FROM idempotency_key WHERE created_ms < $1;
