-- Which store this is.

-- name: identity_read
SELECT id, created_ms FROM store_identity WHERE one = 1;

-- name: identity_renew
UPDATE store_identity SET id = $1, created_ms = $2 WHERE one = 1;

-- name: identity_probe
-- A write for its own sake.  The value differs, or SQLite would write nothing.
UPDATE store_identity SET probed_ms = $1 WHERE one = 1;
