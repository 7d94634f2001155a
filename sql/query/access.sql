-- API keys.  None of these statements sees a key, only its digests.

-- name: access_names
SELECT {tenant_sealed}, {account_sealed}
FROM tenant t
JOIN account a ON a.tenant = t.tenant
WHERE t.tenant = $1 AND a.account = $2;

-- name: access_key_add
-- A prefix is drawn at random: one that is there already inserts nothing.
INSERT INTO api_key (prefix, digest, cookie_digest, tenant_name, user_name,
                     admin, created_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (prefix) DO NOTHING
RETURNING prefix;

-- name: access_key_find
SELECT {api_key_sealed} FROM api_key k WHERE k.prefix = $1;

-- name: access_key_list
SELECT {api_key_sealed} FROM api_key k
WHERE k.created_ms > $1 OR (k.created_ms = $1 AND k.prefix > $2)
ORDER BY k.created_ms, k.prefix
LIMIT $3;

-- name: access_key_revoke
-- Again is fine and keeps the first time.
UPDATE api_key SET revoked_ms = coalesce(revoked_ms, $1)
WHERE prefix = $2
RETURNING revoked_ms;
