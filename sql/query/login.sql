-- Browsers that are signed in.

-- name: login_add
-- Again, after a lost commit, inserts nothing.
INSERT INTO login (id, created_ms, expires_ms, seen_ms, digest, method,
                   tenant_name, user_name, key_prefix, agent, admin)
VALUES ($1, $2, $3, $2, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (id) DO NOTHING
RETURNING id;

-- columns: login
{login_sealed}, l.seen_ms;

-- name: login_find
-- With the key that it was made with: one look-up for a request.
SELECT {login}, {api_key}
FROM login l
LEFT JOIN api_key k ON k.prefix = l.key_prefix
WHERE l.id = $1;

-- name: login_list
-- One user's that are not over, newest first.
SELECT {login} FROM login l
WHERE l.user_name = $1 AND l.tenant_name = $2 AND l.id < $3
  AND l.revoked_ms IS NULL AND l.expires_ms > $4
ORDER BY l.id DESC
LIMIT $5;

-- name: login_list_all
-- For admins: those of a tenant.
SELECT {login} FROM login l
WHERE l.id < $1 AND l.tenant_name = $2
  AND l.revoked_ms IS NULL AND l.expires_ms > $3
ORDER BY l.id DESC
LIMIT $4;

-- name: login_revoke
-- Again is fine and keeps the first time.
UPDATE login SET revoked_ms = coalesce(revoked_ms, $1)
WHERE id = $2
RETURNING revoked_ms;

-- name: login_seen
UPDATE login SET seen_ms = $1 WHERE id = $2 AND seen_ms < $3;

-- name: logins_expire
-- Those that are long over.
DELETE FROM login WHERE expires_ms < $1;
