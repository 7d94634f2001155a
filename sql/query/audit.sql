-- What others should be able to ask about later.

-- name: audit_add
-- Again, after a lost commit, inserts nothing.
INSERT INTO audit (tenant, id, account, at_ms, action, about, key_prefix, seal,
                   address)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (tenant, id) DO NOTHING;

-- columns: audit_row
{audit_sealed}, u.address, {account_sealed};

-- name: audit_list
-- Newest first.
SELECT {audit_row}
FROM audit u
LEFT JOIN account a ON a.tenant = u.tenant AND a.account = u.account
WHERE u.tenant = $1 AND u.id < $2 AND u.at_ms >= $3 AND u.at_ms < $4
ORDER BY u.id DESC
LIMIT $5;

-- name: audit_list_account
SELECT {audit_row}
FROM audit u
LEFT JOIN account a ON a.tenant = u.tenant AND a.account = u.account
WHERE u.account = $1 AND u.tenant = $2 AND u.id < $3 AND u.at_ms >= $4
  AND u.at_ms < $5
  AND (CAST($6 AS text) = '' OR u.action = CAST($6 AS text))
ORDER BY u.id DESC
LIMIT $7;

-- name: audit_list_action
SELECT {audit_row}
FROM audit u
LEFT JOIN account a ON a.tenant = u.tenant AND a.account = u.account
WHERE u.action = $1 AND u.tenant = $2 AND u.id < $3 AND u.at_ms >= $4
  AND u.at_ms < $5
ORDER BY u.id DESC
LIMIT $6;

-- name: audit_addresses_drop
UPDATE audit SET address = NULL WHERE address IS NOT NULL AND at_ms < $1;
