-- Page pictures that came with questions.

-- name: snapshot_same
-- The same picture of the same page, brought before.
SELECT {snapshot_sealed} FROM snapshot s
WHERE s.slide = $1 AND s.page = $2 AND s.owner = $3 AND s.tenant = $4
  AND s.course = $5
  AND (SELECT o.digest FROM object o
       WHERE o.tenant = s.tenant AND o.object_key = s.object_key
         AND o.deleted_ms IS NULL) = $6
LIMIT 1;

-- name: snapshot_count
SELECT count(*) AS pictures FROM snapshot
WHERE slide = $1 AND page = $2 AND owner = $3 AND tenant = $4;

-- name: snapshot_add
-- Returns no row when the label is taken, by another node or by a page with an
-- equal label; the caller tries the next label.
INSERT INTO snapshot (tenant, owner, label, course, page, created_ms, slide,
                      media_type, object_key, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (tenant, owner, label) DO NOTHING
RETURNING label;

-- name: snapshot_find
SELECT {snapshot_sealed}, o.bytes, o.digest
FROM snapshot s
JOIN object o ON o.tenant = s.tenant AND o.object_key = s.object_key
WHERE s.tenant = $1 AND s.owner = $2 AND s.label = $3
  AND o.deleted_ms IS NULL;

-- name: snapshot_served
-- By its object alone: the link has checked rights and tenant.
SELECT {snapshot_sealed}, o.bytes, o.digest
FROM snapshot s
JOIN object o ON o.tenant = s.tenant AND o.object_key = s.object_key
WHERE s.object_key = $1 AND o.deleted_ms IS NULL
LIMIT 1;

-- columns: dropped_snapshot
tenant, object_key;

-- name: snapshots_of_course
DELETE FROM snapshot WHERE course = $1 AND tenant = $2
RETURNING {dropped_snapshot};

-- name: snapshots_of_slide
DELETE FROM snapshot WHERE course = $1 AND tenant = $2 AND slide = $3
RETURNING {dropped_snapshot};

-- name: snapshots_to_move
-- "+": by slide, not all of a tenant.
SELECT {snapshot_sealed} FROM snapshot s
WHERE s.course = $1 AND +s.tenant = $2 AND s.slide = $3;

-- name: snapshots_move
UPDATE snapshot SET course = $1
WHERE course = $2 AND +tenant = $3 AND slide = $4;

-- name: snapshots_unused
-- Of all tenants: housekeeping.  No message names it, and none is about to.
DELETE FROM snapshot
WHERE created_ms < $1
  AND NOT EXISTS (SELECT 1 FROM message m
                  WHERE m.image_s3key = snapshot.label
                    AND m.owner = snapshot.owner
                    AND m.tenant = snapshot.tenant)
RETURNING {dropped_snapshot};

-- name: page_passages
SELECT {passage_sealed} FROM passage p
WHERE p.tenant = $1 AND p.document = $2 AND p.version = $3 AND p.page = $4
ORDER BY p.position;
