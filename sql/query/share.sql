-- Frozen copies that a link opens.

-- name: share_message
-- The answer that is named; without a name, the last of the shown path, which
-- may be a question.  None that still runs.
SELECT id FROM message
WHERE tenant = $1 AND session = $2 AND content IS NOT NULL AND status <> 4
  AND ((role = 2 AND id = CAST($3 AS text))
       OR (CAST($3 AS text) = '' AND shown = 1))
ORDER BY seq DESC
LIMIT 1;

-- name: share_add
-- Again, after a lost commit, inserts nothing.
INSERT INTO share (id, created_ms, expires_ms, single, files, digest,
                   tenant_name, user_name, session, message)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (id) DO NOTHING
RETURNING id;

-- name: share_find
SELECT {share_sealed} FROM share h WHERE h.digest = $1;

-- name: share_list
SELECT {share_sealed} FROM share h
WHERE h.user_name = $1 AND h.tenant_name = $2 AND h.id < $3
  AND h.revoked_ms IS NULL AND h.expires_ms > $4
  AND (CAST($5 AS text) = '' OR h.session = CAST($5 AS text))
ORDER BY h.id DESC
LIMIT $6;

-- name: share_revoke
-- Again is fine and keeps the first time.
UPDATE share SET revoked_ms = coalesce(revoked_ms, $1)
WHERE id = $2
RETURNING revoked_ms;

-- name: shares_expire
-- Those that are long over.
DELETE FROM share WHERE expires_ms < $1;
