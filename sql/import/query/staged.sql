-- The rows of an import's source, put in order: src/import/staged.c.

-- name: staged_put
INSERT INTO staged (tab, key, line, id, json) VALUES ($1, $2, $3, $4, $5);

-- name: staged_session_put
-- The first row that names a session says where it stands.
INSERT INTO staged_session (key) VALUES ($1) ON CONFLICT DO NOTHING;

-- name: staged_session_next
SELECT number, key FROM staged_session WHERE number > $1
ORDER BY number LIMIT 1;

-- name: staged_sessions
SELECT count(*) AS n FROM staged_session;

-- name: staged_rows
SELECT line, id, json FROM staged WHERE tab = $1 AND key = $2 ORDER BY number;

-- name: staged_index_ids
-- Few kinds look for rows by their ids, and none before all rows are there.
CREATE INDEX staged_id ON staged (tab, id);

-- name: staged_strays
-- Rows that name a row of another table which is not there.
SELECT s.line, s.id, s.key FROM staged s
WHERE s.tab = $1 AND NOT EXISTS (
    SELECT 1 FROM staged o WHERE o.tab = $2 AND o.id = s.key)
ORDER BY s.number;

-- name: staged_user_put
INSERT INTO staged_user (theirs, ours) VALUES ($1, $2);

-- name: staged_user
SELECT ours FROM staged_user WHERE theirs = $1;

-- name: staged_course_put
INSERT INTO staged_course (id, owner) VALUES ($1, $2) ON CONFLICT DO NOTHING;

-- name: staged_course
SELECT owner FROM staged_course WHERE id = $1;

-- name: staged_member_put
INSERT INTO staged_member (course, member) VALUES ($1, $2)
ON CONFLICT DO NOTHING;

-- name: staged_source_put
INSERT INTO staged_source (digest) VALUES ($1) ON CONFLICT DO NOTHING;
