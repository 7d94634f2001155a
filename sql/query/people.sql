-- Who is in a tenant, for its admins.

-- name: people_list
-- Not whoever was only named by others, as a member: that is these others'.
SELECT {account_sealed}, u.bytes + u.source_bytes AS bytes, u.documents,
       u.sessions
FROM account a
JOIN account_usage u ON u.tenant = a.tenant AND u.account = a.account
WHERE a.tenant = $1 AND a.name > $2
ORDER BY a.name
LIMIT $3;

-- name: people_jobs
SELECT CAST(coalesce(sum(CASE WHEN node IS NULL THEN 1 ELSE 0 END), 0)
            AS bigint) AS waiting,
       CAST(coalesce(sum(CASE WHEN node IS NULL THEN 0 ELSE 1 END), 0)
            AS bigint) AS reading
FROM ingest_job WHERE tenant = $1;
