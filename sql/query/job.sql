-- Jobs: documents that wait to be read in, or are being read.

-- name: job_put
-- A new version takes the place of one that was not read to its end: the worker
-- that reads the old one finds another epoch.  The account's next round is the
-- one behind its last, or the one that is being read if that is later.
INSERT INTO ingest_job
    (tenant, document, version, created_ms, account, round)
VALUES ($1, $2, $3, $4, $5,
        (SELECT 1 + max(last.round)
         FROM (SELECT coalesce(max(j.round), 0) AS round
               FROM ingest_job j WHERE j.account = $5 AND j.tenant = $1
               UNION ALL
               SELECT coalesce(min(j.round), 1) - 1
               FROM ingest_job j WHERE j.node IS NULL) AS last))
ON CONFLICT (tenant, document) DO UPDATE
SET version = excluded.version, created_ms = excluded.created_ms,
    account = excluded.account, round = excluded.round,
    attempts = 0, epoch = 0, node = NULL, until_ms = NULL, pages = 0,
    position = 0, blank = 0;

-- columns: job
j.tenant, j.document, j.version, j.attempts, t.name AS tenant_name, j.pages,
j.position, j.blank;

-- name: job_next
-- The next of those that wait, but for one account's and those that were claimed
-- too often.
SELECT {job}
FROM ingest_job j
JOIN tenant t ON t.tenant = j.tenant
WHERE j.node IS NULL AND NOT (j.tenant = $1 AND j.account = $2)
AND j.attempts < $3
ORDER BY j.round, j.created_ms
LIMIT 1;

-- name: job_most
-- The account that has at least so many jobs read by this node.
SELECT tenant, account FROM ingest_job
WHERE node = $1
GROUP BY tenant, account
HAVING count(*) >= $2
LIMIT 1;

-- name: job_reading
SELECT count(*) AS n, coalesce(max(attempts), 0) AS attempts FROM ingest_job
WHERE node = $1;

-- name: job_waits
SELECT 1 AS waits FROM ingest_job WHERE node IS NULL LIMIT 1;

-- name: job_mine
-- A claim whose commit was in doubt.
SELECT {job}
FROM ingest_job j
JOIN tenant t ON t.tenant = j.tenant
WHERE j.epoch = $1;

-- name: job_take
-- Two nodes at once: the second changes no row.
UPDATE ingest_job
SET node = $1, until_ms = $2, epoch = $3, attempts = attempts + 1
WHERE tenant = $4 AND document = $5 AND node IS NULL
RETURNING attempts;

-- name: job_hold
UPDATE ingest_job SET until_ms = $1
WHERE tenant = $2 AND document = $3 AND epoch = $4
RETURNING version;

-- name: job_place
UPDATE ingest_job SET pages = $1, position = $2, blank = $3
WHERE tenant = $4 AND document = $5 AND epoch = $6;

-- name: job_moved
-- It stored something: what became of earlier claims was not its fault.
UPDATE ingest_job SET attempts = 1
WHERE tenant = $1 AND document = $2 AND epoch = $3;

-- name: job_close
DELETE FROM ingest_job
WHERE tenant = $1 AND document = $2 AND epoch = $3
RETURNING version;

-- name: job_free
-- A claim that was given back does not count ($1 is 1).
UPDATE ingest_job
SET node = NULL, until_ms = NULL, epoch = 0, attempts = attempts - $1
WHERE tenant = $2 AND document = $3 AND epoch = $4
RETURNING version;

-- name: job_held
-- A small table: only what is being read now.
SELECT tenant, document, epoch, node, until_ms FROM ingest_job
WHERE node IS NOT NULL;

-- name: job_renew
UPDATE ingest_job SET until_ms = $1 WHERE node = $2;

-- name: job_delete
DELETE FROM ingest_job WHERE tenant = $1 AND document = $2;

-- name: job_count
SELECT coalesce(sum(CASE WHEN node IS NULL THEN 1 ELSE 0 END), 0) AS waiting,
       coalesce(sum(CASE WHEN node IS NULL THEN 0 ELSE 1 END), 0) AS running
FROM ingest_job;
