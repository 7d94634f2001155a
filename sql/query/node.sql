-- Nodes: what they are called, and what time it is for them.

-- name: clock_now @sqlite
-- Not asked here: the machine has clocks.
SELECT 0 AS now_ms;

-- name: clock_now @postgres
SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) AS now_ms;

-- name: node_add
-- Two nodes at once: the second inserts nothing and finds the first.
INSERT INTO node (name, life, until_ms) VALUES ($1, $2, $3)
ON CONFLICT (name) DO NOTHING
RETURNING name;

-- name: node_find
SELECT life, until_ms FROM node WHERE name = $1;

-- name: node_take
-- Two nodes at once: the second changes no row.
UPDATE node SET life = $1, until_ms = $2 WHERE name = $3 AND life = $4;

-- name: node_renew
UPDATE node SET until_ms = $1 WHERE name = $2 AND life = $3;

-- name: node_drop
DELETE FROM node WHERE name = $1 AND life = $2;
