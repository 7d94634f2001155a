-- Sessions.

-- columns: session_row
{session_sealed}, s.last_seq, t.docs_version, u.bytes, u.source_bytes,
u.documents, u.sessions;

-- name: session_find
-- For writers: the row by its public id, deleted or not, and in the same
-- look-up the tenant's docs_version and how much the owner keeps.
SELECT {session_row}
FROM session s
JOIN tenant t ON t.tenant = s.tenant
LEFT JOIN account_usage u ON u.tenant = s.tenant AND u.account = s.owner
WHERE s.tenant = $1 AND s.owner = $2 AND s.id = $3;

-- name: session_of
SELECT {session_row}
FROM session s
JOIN tenant t ON t.tenant = s.tenant
LEFT JOIN account_usage u ON u.tenant = s.tenant AND u.account = s.owner
WHERE s.tenant = $1 AND s.session = $2;

-- name: session_new
INSERT INTO session
    (tenant, session, owner, id, course, title, created_ms, active_ms)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7);

-- name: session_next @postgres
-- The row hands out ordinals and is locked until the commit, so messages of
-- one session never interleave.  Activity never goes back with the clock.
UPDATE session
SET last_seq = last_seq + 1,
    version = version + 1,
    active_ms = CASE WHEN active_ms > $1 THEN active_ms ELSE $1 END,
    title = coalesce(title, $2)
WHERE tenant = $3 AND session = $4 AND deleted_ms IS NULL
RETURNING last_seq;

-- name: session_next @sqlite
-- The same.  Nobody else can have moved it since this transaction read it, and
-- RETURNING costs as much as the update.
UPDATE session
SET last_seq = last_seq + 1,
    version = version + 1,
    active_ms = CASE WHEN active_ms > $1 THEN active_ms ELSE $1 END,
    title = coalesce(title, $2)
WHERE tenant = $3 AND session = $4 AND deleted_ms IS NULL;

-- name: session_touch
UPDATE session
SET version = version + 1,
    active_ms = CASE WHEN active_ms > $1 THEN active_ms ELSE $1 END
WHERE tenant = $2 AND session = $3 AND deleted_ms IS NULL;

-- name: session_changed
-- Something was added to one of its messages; nobody was active.
UPDATE session SET version = version + 1
WHERE tenant = $1 AND session = $2;

-- name: session_filled
-- One that came from elsewhere has all of its messages.
UPDATE session
SET last_seq = $1, active_ms = $2, version = version + 1
WHERE tenant = $3 AND session = $4;

-- name: session_title
-- A first question that comes after its message was made as a placeholder.
UPDATE session SET title = $1
WHERE tenant = $2 AND session = $3 AND title IS NULL;

-- name: session_set
-- NULL keeps what is there.
UPDATE session
SET title = coalesce($1, title),
    course = coalesce($2, course),
    version = version + 1
WHERE tenant = $3 AND session = $4;

-- columns: session
{session_sealed}, {course_sealed}, s.active_ms, s.version,
CASE WHEN EXISTS (SELECT 1 FROM answer_lease l
                  WHERE l.tenant = s.tenant AND l.session = s.session)
     THEN 1 ELSE 0 END AS running;

-- name: session_get
SELECT {session}
FROM session s
LEFT JOIN course c ON c.tenant = s.tenant AND c.course = s.course
WHERE s.tenant = $1 AND s.owner = $2 AND s.id = $3 AND s.deleted_ms IS NULL;

-- name: session_open
-- The same by names, with who asks, what they may do in the course, and all
-- versions that a cached history depends on: one look-up begins a history.
SELECT {session}, {tenant_sealed}, {account_sealed},
       (SELECT m.role FROM course_member m
        WHERE m.tenant = c.tenant AND m.course = c.course
          AND m.account = a.account) AS own_role,
       (SELECT m.origin FROM course_member m
        WHERE m.tenant = c.tenant AND m.course = c.course
          AND m.account = a.account) AS own_origin,
       (SELECT m.seal FROM course_member m
        WHERE m.tenant = c.tenant AND m.course = c.course
          AND m.account = a.account) AS own_seal,
       (SELECT m.role FROM course_member m
        WHERE m.tenant = c.tenant AND m.course = c.course AND m.account = 0)
           AS everybody_role,
       (SELECT m.origin FROM course_member m
        WHERE m.tenant = c.tenant AND m.course = c.course AND m.account = 0)
           AS everybody_origin,
       (SELECT m.seal FROM course_member m
        WHERE m.tenant = c.tenant AND m.course = c.course AND m.account = 0)
           AS everybody_seal,
       t.docs_version, c.version AS course_version, s.last_seq
FROM tenant t
JOIN account a ON a.tenant = t.tenant AND a.name = $1
JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
LEFT JOIN course c ON c.tenant = s.tenant AND c.course = s.course
WHERE t.name = $3 AND s.deleted_ms IS NULL;

-- name: session_list
-- The cursor is (active_ms, session) of the last one shown.
SELECT {session}
FROM session s
LEFT JOIN course c ON c.tenant = s.tenant AND c.course = s.course
WHERE s.tenant = $1 AND s.owner = $2 AND s.deleted_ms IS NULL
  AND (s.active_ms, s.session) < ($3, $4)
  AND (CAST($5 AS bigint) = 0 OR s.course = CAST($5 AS bigint))
ORDER BY s.active_ms DESC, s.session DESC
LIMIT $6;

-- name: session_bury
-- The row stays, so that its id is not used again.  Two nodes at once: the
-- second changes no row.
UPDATE session
SET deleted_ms = $1, title = NULL, course = NULL, version = version + 1
WHERE tenant = $2 AND session = $3 AND deleted_ms IS NULL;

-- name: session_events_delete
DELETE FROM retrieval_event WHERE tenant = $1 AND session = $2;

-- name: session_verdicts_delete
DELETE FROM verdict WHERE tenant = $1 AND session = $2;

-- name: session_text_delete
DELETE FROM answer_text WHERE tenant = $1 AND session = $2;

-- name: session_lease_delete
DELETE FROM answer_lease WHERE tenant = $1 AND session = $2;

-- name: session_messages_delete
DELETE FROM message WHERE tenant = $1 AND session = $2;

-- name: session_walk
-- Of a whole tenant, for an operator who moves it; nobody's request asks this.
SELECT s.session, s.id, a.name AS owner
FROM tenant t
JOIN session s ON s.tenant = t.tenant
JOIN account a ON a.tenant = s.tenant AND a.account = s.owner
LEFT JOIN course c ON c.tenant = s.tenant AND c.course = s.course
WHERE t.name = $1 AND s.session > $2 AND s.deleted_ms IS NULL
  AND (CAST($3 AS text) IS NULL OR a.name = CAST($3 AS text))
  AND (CAST($4 AS text) IS NULL OR c.id = CAST($4 AS text))
ORDER BY s.session
LIMIT $5;
