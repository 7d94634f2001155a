-- Tenants, accounts and new keys.

-- name: who_read
-- One look-up for a reader; the account is NULL when it was never seen.
SELECT {tenant_sealed}, {account_sealed}, t.docs_version
FROM tenant t
LEFT JOIN account a ON a.tenant = t.tenant AND a.name = $1
WHERE t.name = $2;

-- name: tenant_find
SELECT {tenant_sealed} FROM tenant t WHERE t.name = $1;

-- name: tenant_new
-- Two nodes at once: one violates a key, is redone, and finds the other's.
INSERT INTO tenant (tenant, name)
SELECT coalesce(max(tenant), 0) + 1, $1 FROM tenant
RETURNING tenant;

-- name: account_find
SELECT {account_sealed} FROM account a WHERE a.tenant = $1 AND a.name = $2;

-- name: account_new
INSERT INTO account (tenant, account, name) VALUES ($1, $2, $3);

-- name: keys_take
-- Keys come in blocks, so that this row is not fought over.
UPDATE tenant SET last_key = last_key + $1 WHERE tenant = $2
RETURNING last_key;

-- name: docs_version
SELECT docs_version FROM tenant WHERE tenant = $1;

-- name: docs_changed
-- Tells readers that what they remember of documents is out of date.
UPDATE tenant SET docs_version = docs_version + 1 WHERE tenant = $1;
