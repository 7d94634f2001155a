-- The way back compared with what it is made from: message.refs.  Of all
-- tenants, a page at a time.

-- name: way_back_messages
SELECT tenant, session, seq, refs FROM message
WHERE (tenant, session, seq) > ($1, $2, $3) AND refs IS NOT NULL
ORDER BY tenant, session, seq
LIMIT $4;

-- name: way_back_rows
SELECT r.source, r.tenant, r.session, r.seq, r.number, m.refs
FROM source_reference r
LEFT JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
WHERE (r.source, r.tenant, r.session, r.seq, r.number) > ($1, $2, $3, $4, $5)
ORDER BY r.source, r.tenant, r.session, r.seq, r.number
LIMIT $6;

-- name: way_back_get
-- PostgreSQL's table has no key: a row may be there twice.
SELECT cited FROM source_reference
WHERE source = $1 AND tenant = $2 AND session = $3 AND seq = $4
  AND number = $5;

-- name: way_back_hold
-- Locks a session until the commit: its references do not change meanwhile.
UPDATE session SET version = version + 1 WHERE tenant = $1 AND session = $2;

-- name: way_back_remove
DELETE FROM source_reference
WHERE source = $1 AND tenant = $2 AND session = $3 AND seq = $4
  AND number = $5;
