-- The statements of tests/db/db_test.c; the product never runs them.

-- name: thing_put
INSERT INTO thing (id, whole, real, words, bytes)
VALUES ($1, $2, $3, $4, $5);

-- name: thing_get
SELECT id, whole, real, words, bytes FROM thing WHERE id = $1;

-- name: thing_list
SELECT id, words FROM thing ORDER BY id;

-- name: thing_count
SELECT count(*) AS n FROM thing;

-- name: thing_add
INSERT INTO thing (id, words) VALUES ($1, $2);

-- name: thing_bump
UPDATE thing SET whole = coalesce(whole, 0) + $1 WHERE id = $2
RETURNING whole;

-- name: thing_say
UPDATE thing SET words = $1 WHERE id >= $2;

-- name: part_add
INSERT INTO part (thing_id, number, small, flag) VALUES ($1, $2, $3, $4);

-- name: part_get
SELECT number, small, flag FROM part WHERE thing_id = $1 ORDER BY number;

-- name: engine @sqlite
SELECT 'sqlite; -- $9 "x"' || '' AS words, 1 + $1 AS sum; -- a comment, 'unfinished

-- name: engine @postgres
SELECT 'postgres; -- $9 "x"' || '' AS words, 1 + $1::bigint AS sum;

-- name: nap @sqlite
-- Takes as long as it is let.
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
SELECT count(*) AS n FROM n;

-- name: nap @postgres
SELECT count(*) AS n FROM pg_sleep(1000);

-- name: my_pid @sqlite
SELECT 0 AS pid;

-- name: my_pid @postgres
SELECT pg_backend_pid() AS pid;

-- name: kill_pid @sqlite
SELECT $1 AS killed;

-- name: kill_pid @postgres
SELECT pg_terminate_backend($1::int, 5000) AS killed;

-- name: is_standby @sqlite
SELECT 0 AS standby;

-- name: is_standby @postgres
SELECT CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END AS standby;

-- name: thing_rot @sqlite
-- What a disk makes of a row: the engine does not look.
UPDATE thing SET real = 9e999, words = CAST(x'61ff62' AS TEXT) WHERE id = $1;

-- name: thing_rot @postgres
-- A text as broken is not let in by any statement.
UPDATE thing SET real = 'Infinity'::float8 WHERE id = $1;
