-- Objects: files that rows name.  Their bytes are elsewhere.

-- name: object_add
-- A repeat after a lost connection finds its own row.
INSERT INTO object (tenant, object_key, account, bytes, digest, created_ms)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant, object_key) DO NOTHING;

-- columns: buried_object
account, bytes;

-- name: objects_bury
-- All objects of a document, of every version.
UPDATE object SET deleted_ms = $1
WHERE tenant = $2 AND deleted_ms IS NULL
  AND object_key IN (SELECT v.object_key FROM document_version v
                     WHERE v.tenant = $2 AND v.document = $3
                     UNION
                     SELECT v.recording_key FROM document_version v
                     WHERE v.tenant = $2 AND v.document = $3)
RETURNING {buried_object};

-- name: objects_bury_version
-- Those of one version that no other version has.
UPDATE object SET deleted_ms = $1
WHERE tenant = $2 AND deleted_ms IS NULL
  AND object_key IN (SELECT v.object_key FROM document_version v
                     WHERE v.tenant = $2 AND v.document = $3 AND v.version = $4
                     UNION
                     SELECT v.recording_key FROM document_version v
                     WHERE v.tenant = $2 AND v.document = $3 AND v.version = $4)
  AND NOT EXISTS (SELECT 1 FROM document_version w
                  WHERE w.tenant = $2 AND w.document = $3 AND w.version <> $4
                    AND (w.object_key = object.object_key
                         OR w.recording_key = object.object_key))
RETURNING {buried_object};

-- name: object_bury
UPDATE object SET deleted_ms = $1
WHERE tenant = $2 AND object_key = $3 AND deleted_ms IS NULL
RETURNING {buried_object};

-- name: objects_garbage
-- Of all tenants: housekeeping.
SELECT object_key FROM object
WHERE deleted_ms IS NOT NULL AND deleted_ms < $1
ORDER BY deleted_ms
LIMIT $2;

-- name: object_forget
DELETE FROM object WHERE object_key = $1 AND deleted_ms IS NOT NULL;

-- name: object_known
SELECT bytes FROM object WHERE object_key = $1 LIMIT 1;

-- name: objects_page
-- Of all tenants, by key: to look at every object that rows name.
SELECT object_key, bytes, digest FROM object
WHERE object_key > $1 AND deleted_ms IS NULL
ORDER BY object_key
LIMIT $2;

-- name: objects_count
SELECT count(*) AS objects, CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes
FROM object WHERE object_key > $1 AND deleted_ms IS NULL;
