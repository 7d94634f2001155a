-- What a backup asks beside copying every table (tools/sqlcopy): the copy is
-- asked, or the database itself where it says so.

-- name: counts
-- Of all tenants.
SELECT (SELECT id FROM store_identity WHERE one = 1) AS store,
       (SELECT count(*) FROM session WHERE deleted_ms IS NULL) AS sessions,
       (SELECT count(*) FROM message) AS messages,
       (SELECT count(*) FROM message
        WHERE role = {ROLE_ASSISTANT}) AS answers,
       (SELECT count(*) FROM source_reference WHERE cited = 1) AS citations,
       (SELECT count(*) FROM document WHERE deleted_ms IS NULL) AS documents;

-- name: files
-- Files that rows name, by key: of the database first, then of the copy.
SELECT tenant, object_key, bytes, digest FROM object
WHERE (tenant, object_key) > ($1, $2) AND deleted_ms IS NULL
ORDER BY tenant, object_key
LIMIT $3;

-- name: file_is_named
-- The database, about a file that is gone: was it deleted since?
SELECT 1 AS found FROM object
WHERE tenant = $1 AND object_key = $2 AND deleted_ms IS NULL;

-- name: is_used
-- Whether somebody has used this database.
SELECT tenant FROM tenant LIMIT 1;

-- name: leases_end
-- The processes that held them belong to the original.  The next sweep ends
-- their answers, as of a process that died.  The node stays: by its name the
-- newest words are kept until then.
UPDATE answer_lease SET until_ms = 0;

-- name: jobs_release
UPDATE ingest_job SET node = NULL, until_ms = NULL;

-- name: sources
-- To recompute their digests; fields in the order of source_fields.h.
SELECT tenant, source, digest, redacted, source_type, source_key, source_id,
       preview, title, url, course_id, owner_id, document_id, lecture_id, date,
       s3key, meta, slide_number, start_seconds, end_seconds, part,
       locator
FROM source
WHERE (tenant, source) > ($1, $2)
ORDER BY tenant, source
LIMIT $3;

-- name: source_digest
SELECT digest FROM source WHERE tenant = $1 AND source = $2;

-- name: messages
SELECT tenant, session, seq, role, status, digest, refs, content
FROM message
WHERE (tenant, session, seq) > ($1, $2, $3)
ORDER BY tenant, session, seq
LIMIT $4;

-- name: logins_end
-- Who signed in at the original has not signed in at the copy.
DELETE FROM login;

-- name: shares_end
-- Nor does a link that was ended meanwhile open the copy.
DELETE FROM share;
