-- How much accounts keep, and what that should be.

-- columns: usage
bytes, source_bytes, documents, sessions;

-- name: usage_get
SELECT {usage} FROM account_usage WHERE tenant = $1 AND account = $2;

-- name: usage_tenant
SELECT CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes,
       CAST(coalesce(sum(source_bytes), 0) AS bigint) AS source_bytes,
       CAST(coalesce(sum(documents), 0) AS bigint) AS documents,
       CAST(coalesce(sum(sessions), 0) AS bigint) AS sessions
FROM account_usage WHERE tenant = $1;

-- name: usage_add
-- Adds, so that nodes never overwrite what another one counted.
INSERT INTO account_usage (tenant, account, bytes, source_bytes, documents,
                           sessions)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, account) DO UPDATE
SET bytes = account_usage.bytes + excluded.bytes,
    source_bytes = account_usage.source_bytes + excluded.source_bytes,
    documents = account_usage.documents + excluded.documents,
    sessions = account_usage.sessions + excluded.sessions;

-- name: usage_add_told
-- The same, and tells what it is then: nobody else changes it before the
-- commit.
INSERT INTO account_usage (tenant, account, bytes, source_bytes, documents,
                           sessions)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, account) DO UPDATE
SET bytes = account_usage.bytes + excluded.bytes,
    source_bytes = account_usage.source_bytes + excluded.source_bytes,
    documents = account_usage.documents + excluded.documents,
    sessions = account_usage.sessions + excluded.sessions
RETURNING {usage};

-- name: session_bytes @sqlite
-- What messages and events of a session count for.
SELECT CAST(coalesce((
           SELECT sum({USAGE_MESSAGE} +
               coalesce(length(CAST(m.content AS BLOB)), 0) +
               coalesce(length(CAST(m.doc_refs AS BLOB)), 0) +
               coalesce(length(CAST(m.rag_source_ids AS BLOB)), 0) +
               coalesce(length(CAST(m.web_source_ids AS BLOB)), 0))
           FROM message m WHERE m.tenant = $1 AND m.session = $2), 0) +
       coalesce((
           SELECT sum({USAGE_EVENT} + length(CAST(e.query AS BLOB)))
           FROM retrieval_event e
           WHERE e.tenant = $1 AND e.session = $2), 0) AS bigint) AS bytes;

-- name: session_events_bytes @sqlite
SELECT CAST(coalesce(sum({USAGE_EVENT} + length(CAST(query AS BLOB))), 0)
            AS bigint) AS bytes
FROM retrieval_event WHERE tenant = $1 AND session = $2;

-- name: session_bytes @postgres
-- What messages and events of a session count for.
SELECT CAST(coalesce((
           SELECT sum({USAGE_MESSAGE} +
               coalesce(octet_length(m.content), 0) +
               coalesce(octet_length(m.doc_refs), 0) +
               coalesce(octet_length(m.rag_source_ids), 0) +
               coalesce(octet_length(m.web_source_ids), 0))
           FROM message m WHERE m.tenant = $1 AND m.session = $2), 0) +
       coalesce((
           SELECT sum({USAGE_EVENT} + octet_length(e.query))
           FROM retrieval_event e
           WHERE e.tenant = $1 AND e.session = $2), 0) AS bigint) AS bytes;

-- name: session_events_bytes @postgres
SELECT CAST(coalesce(sum({USAGE_EVENT} + octet_length(query)), 0)
            AS bigint) AS bytes
FROM retrieval_event WHERE tenant = $1 AND session = $2;

-- name: session_owner
SELECT owner FROM session WHERE tenant = $1 AND session = $2;

-- columns: usage_account
t.name AS tenant_name, a.name AS user_name, a.tenant, a.account, u.bytes,
u.source_bytes, u.documents, u.sessions;

-- name: usage_accounts
-- Of all tenants, by key: for who looks after them.
SELECT {usage_account}
FROM account a
JOIN tenant t ON t.tenant = a.tenant
LEFT JOIN account_usage u ON u.tenant = a.tenant AND u.account = a.account
WHERE (a.tenant, a.account) > ($1, $2)
ORDER BY a.tenant, a.account
LIMIT $3;

-- name: usage_recount @sqlite
-- The same from the rows themselves; it reads all that there is.
SELECT tenant, account, CAST(sum(bytes) AS bigint) AS bytes,
       CAST(sum(documents) AS bigint) AS documents,
       CAST(sum(sessions) AS bigint) AS sessions
FROM (
    SELECT o.tenant, o.account, sum(o.bytes) AS bytes, 0 AS documents,
           0 AS sessions
    FROM object o WHERE o.deleted_ms IS NULL GROUP BY o.tenant, o.account
    UNION ALL
    SELECT v.tenant, v.account, {USAGE_VERSION} * count(*), 0, 0
    FROM document_version v GROUP BY v.tenant, v.account
    UNION ALL
    SELECT d.tenant, d.account, 0, count(*), 0
    FROM document d WHERE d.deleted_ms IS NULL GROUP BY d.tenant, d.account
    UNION ALL
    SELECT c.tenant, c.owner, {USAGE_COURSE} * count(*), 0, 0
    FROM course c GROUP BY c.tenant, c.owner
    UNION ALL
    SELECT s.tenant, s.owner, {USAGE_SESSION} * count(*), 0,
           sum(CASE WHEN s.deleted_ms IS NULL THEN 1 ELSE 0 END)
    FROM session s GROUP BY s.tenant, s.owner
    UNION ALL
    SELECT m.tenant, m.owner,
           sum({USAGE_MESSAGE} +
               coalesce(length(CAST(m.content AS BLOB)), 0) +
               coalesce(length(CAST(m.doc_refs AS BLOB)), 0) +
               coalesce(length(CAST(m.rag_source_ids AS BLOB)), 0) +
               coalesce(length(CAST(m.web_source_ids AS BLOB)), 0)), 0, 0
    FROM message m GROUP BY m.tenant, m.owner
    UNION ALL
    SELECT e.tenant, s.owner, sum({USAGE_EVENT} + length(CAST(e.query AS BLOB))), 0, 0
    FROM retrieval_event e
    JOIN session s ON s.tenant = e.tenant AND s.session = e.session
    GROUP BY e.tenant, s.owner
) AS kept
GROUP BY tenant, account
ORDER BY tenant, account;

-- name: usage_recount @postgres
-- The same from the rows themselves; it reads all that there is.
SELECT tenant, account, CAST(sum(bytes) AS bigint) AS bytes,
       CAST(sum(documents) AS bigint) AS documents,
       CAST(sum(sessions) AS bigint) AS sessions
FROM (
    SELECT o.tenant, o.account, sum(o.bytes) AS bytes, 0 AS documents,
           0 AS sessions
    FROM object o WHERE o.deleted_ms IS NULL GROUP BY o.tenant, o.account
    UNION ALL
    SELECT v.tenant, v.account, {USAGE_VERSION} * count(*), 0, 0
    FROM document_version v GROUP BY v.tenant, v.account
    UNION ALL
    SELECT d.tenant, d.account, 0, count(*), 0
    FROM document d WHERE d.deleted_ms IS NULL GROUP BY d.tenant, d.account
    UNION ALL
    SELECT c.tenant, c.owner, {USAGE_COURSE} * count(*), 0, 0
    FROM course c GROUP BY c.tenant, c.owner
    UNION ALL
    SELECT s.tenant, s.owner, {USAGE_SESSION} * count(*), 0,
           sum(CASE WHEN s.deleted_ms IS NULL THEN 1 ELSE 0 END)
    FROM session s GROUP BY s.tenant, s.owner
    UNION ALL
    SELECT m.tenant, m.owner,
           sum({USAGE_MESSAGE} +
               coalesce(octet_length(m.content), 0) +
               coalesce(octet_length(m.doc_refs), 0) +
               coalesce(octet_length(m.rag_source_ids), 0) +
               coalesce(octet_length(m.web_source_ids), 0)), 0, 0
    FROM message m GROUP BY m.tenant, m.owner
    UNION ALL
    SELECT e.tenant, s.owner, sum({USAGE_EVENT} + octet_length(e.query)), 0, 0
    FROM retrieval_event e
    JOIN session s ON s.tenant = e.tenant AND s.session = e.session
    GROUP BY e.tenant, s.owner
) AS kept
GROUP BY tenant, account
ORDER BY tenant, account;
