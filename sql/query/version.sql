-- What a cached history depends on.

-- name: version_read
-- By names, so that it is one round trip: no account is looked up before.
SELECT s.version AS session_version, c.version AS course_version,
       t.docs_version
FROM tenant t
JOIN account a ON a.tenant = t.tenant AND a.name = $1
JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
LEFT JOIN course c ON c.tenant = s.tenant AND c.course = s.course
WHERE t.name = $3 AND s.deleted_ms IS NULL;
