-- Courses and members.  account 0 in course_member is everybody.

-- columns: course_row
-- With the asker's roles: as member, and as everybody.
{course_sealed}, {roles}, c.index_version;

-- columns: course
{course_sealed}, {roles}, {account_sealed}, c.version, c.index_version;

-- name: course_find
SELECT {course_row}
FROM course c
LEFT JOIN course_member o ON o.tenant = c.tenant AND o.course = c.course
    AND o.account = $1
LEFT JOIN course_member e ON e.tenant = c.tenant AND e.course = c.course
    AND e.account = 0
WHERE c.tenant = $2 AND c.id = $3;

-- name: course_role
SELECT {course_row}
FROM course c
LEFT JOIN course_member o ON o.tenant = c.tenant AND o.course = c.course
    AND o.account = $1
LEFT JOIN course_member e ON e.tenant = c.tenant AND e.course = c.course
    AND e.account = 0
WHERE c.tenant = $2 AND c.course = $3;

-- name: course_new
INSERT INTO course (tenant, course, id, owner, title, created_ms)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: course_change
-- An empty description is none.  $3: -1 leaves it as it is, 1 archives it.
UPDATE course
SET title = coalesce(CAST($1 AS text), title),
    description = nullif(coalesce(CAST($2 AS text), description), ''),
    archived_ms = CASE WHEN CAST($3 AS bigint) < 0 THEN archived_ms
                       WHEN CAST($3 AS bigint) = 1
                           THEN coalesce(archived_ms, CAST($4 AS bigint))
                  END,
    version = version + 1
WHERE tenant = $5 AND course = $6;

-- name: course_insights
UPDATE course SET insights = $1, version = version + 1
WHERE tenant = $2 AND course = $3;

-- name: insights_sessions
-- Conversations in a course since a time, the latest first.
SELECT {session_sealed}, a.name
FROM session s
JOIN account a ON a.tenant = s.tenant AND a.account = s.owner
WHERE s.course = $1 AND s.tenant = $2 AND s.active_ms >= $3
  AND s.deleted_ms IS NULL
ORDER BY s.active_ms DESC
LIMIT $4;

-- name: course_touch
UPDATE course SET version = version + 1 WHERE tenant = $1 AND course = $2;

-- name: course_get
SELECT {course}
FROM course c
LEFT JOIN account a ON a.tenant = c.tenant AND a.account = c.owner
LEFT JOIN course_member o ON o.tenant = c.tenant AND o.course = c.course
    AND o.account = $1
LEFT JOIN course_member e ON e.tenant = c.tenant AND e.course = c.course
    AND e.account = 0
WHERE c.tenant = $2 AND c.course = $3;

-- name: course_list
-- Courses that the asker may read.
SELECT {course}
FROM course c
LEFT JOIN account a ON a.tenant = c.tenant AND a.account = c.owner
LEFT JOIN course_member o ON o.tenant = c.tenant AND o.course = c.course
    AND o.account = $1
LEFT JOIN course_member e ON e.tenant = c.tenant AND e.course = c.course
    AND e.account = 0
WHERE c.tenant = $2 AND c.course > $3 AND c.deleted_ms IS NULL
  AND (c.owner = $1
       OR EXISTS (SELECT 1 FROM course_member m
                  WHERE m.tenant = c.tenant AND m.course = c.course
                    AND m.account IN (0, $1)))
ORDER BY c.course
LIMIT $4;

-- name: course_bury
UPDATE course SET deleted_ms = $1, version = version + 1,
    index_version = index_version + 1
WHERE tenant = $2 AND course = $3;

-- name: course_documents_bury
UPDATE document
SET deleted_ms = $1, redacted = CASE WHEN $2 = 1 THEN 1 ELSE redacted END
WHERE tenant = $3 AND course = $4 AND deleted_ms IS NULL
RETURNING account;

-- name: course_documents
SELECT {document_sealed} FROM document d
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL;

-- name: member_put
INSERT INTO course_member (tenant, course, account, role, origin, seal)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, course, account)
DO UPDATE SET role = excluded.role, origin = excluded.origin,
    seal = excluded.seal;

-- name: member_drop
DELETE FROM course_member
WHERE tenant = $1 AND course = $2 AND account = $3;

-- name: member_of
-- Where an account is a member.  "+": by account, not all of a tenant.
SELECT {member_sealed} FROM course_member m
WHERE m.account = $1 AND +m.tenant = $2
ORDER BY m.course;

-- name: member_list
SELECT {member_sealed}, {account_sealed}
FROM course_member m
LEFT JOIN account a ON a.tenant = m.tenant AND a.account = m.account
WHERE m.tenant = $1 AND m.course = $2
ORDER BY m.account;

-- name: course_walk
-- As session_walk.
SELECT c.course, c.id, a.name AS owner
FROM tenant t
JOIN course c ON c.tenant = t.tenant
JOIN account a ON a.tenant = c.tenant AND a.account = c.owner
WHERE t.name = $1 AND c.course > $2 AND c.deleted_ms IS NULL
  AND (CAST($3 AS text) IS NULL OR c.id = CAST($3 AS text))
ORDER BY c.course
LIMIT $4;
