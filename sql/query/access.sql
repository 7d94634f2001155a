-- API keys.  None of these statements sees a key, only its digest.

-- name: access_names
SELECT {tenant_sealed}, {account_sealed}
FROM tenant t
JOIN account a ON a.tenant = t.tenant
WHERE t.tenant = $1 AND a.account = $2;

-- name: access_key_add
-- A prefix is drawn at random: one that is there already inserts nothing.
INSERT INTO api_key (prefix, digest, tenant_name, user_name, admin, created_ms,
                     expires_ms, label, scope)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (prefix) DO NOTHING
RETURNING prefix;

-- columns: api_key
{api_key_sealed}, k.first_used_ms, k.last_used_ms;

-- name: access_key_find
SELECT {api_key} FROM api_key k WHERE k.prefix = $1;

-- name: access_key_list
SELECT {api_key} FROM api_key k
WHERE (k.created_ms > $1 OR (k.created_ms = $1 AND k.prefix > $2))
  AND (CAST($3 AS text) = '' OR k.tenant_name = CAST($3 AS text))
  AND (CAST($4 AS text) = '' OR k.user_name = CAST($4 AS text))
ORDER BY k.created_ms, k.prefix
LIMIT $5;

-- name: access_key_revoke
-- Again is fine and keeps the first time.
UPDATE api_key SET revoked_ms = coalesce(revoked_ms, $1)
WHERE prefix = $2
  AND (CAST($3 AS text) = '' OR tenant_name = CAST($3 AS text))
RETURNING revoked_ms;

-- name: access_key_used
-- Not for each request: nothing changes when another has just said so.
UPDATE api_key
SET first_used_ms = coalesce(first_used_ms, $1), last_used_ms = $1
WHERE prefix = $2 AND coalesce(last_used_ms, 0) < $3
RETURNING first_used_ms;
