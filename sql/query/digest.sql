-- Messages and sources of all tenants with their digests, a page at a time: to
-- compare those that nobody reads.

-- name: digest_messages
SELECT m.tenant, m.session, m.seq, t.name AS tenant_name, m.id, m.role,
       m.status, m.digest, m.refs, m.content
FROM message m
JOIN tenant t ON t.tenant = m.tenant
WHERE (m.tenant, m.session, m.seq) > ($1, $2, $3)
ORDER BY m.tenant, m.session, m.seq
LIMIT $4;

-- name: digest_source
SELECT digest FROM source WHERE tenant = $1 AND source = $2;

-- name: digest_sources
-- From its type on as source_get has them.
SELECT c.tenant, c.source, t.name AS tenant_name, c.redacted, c.digest,
       c.source_type, c.source_key, c.source_id, c.preview, c.title, c.url,
       c.course_id, c.owner_id, c.document_id, c.lecture_id, c.date, c.s3key,
       c.meta, c.slide_number, c.start_seconds, c.end_seconds, c.part,
       c.locator
FROM source c
JOIN tenant t ON t.tenant = c.tenant
WHERE (c.tenant, c.source) > ($1, $2)
ORDER BY c.tenant, c.source
LIMIT $3;
