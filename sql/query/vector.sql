-- Vectors of passages, by model.  One of another length than $bytes is none: the
-- model behind its name was changed.

-- name: vectors_missing
-- Passages of a document without a vector by this model.
SELECT {passage_sealed}
FROM passage p
LEFT JOIN passage_vector v ON v.tenant = p.tenant AND v.document = p.document
    AND v.version = p.version AND v.position = p.position AND v.model = $1
    AND (CAST($2 AS bigint) = 0 OR length(v.vector) = CAST($2 AS bigint))
WHERE p.tenant = $3 AND p.document = $4 AND p.version = $5
  AND p.position > $6 AND v.position IS NULL
ORDER BY p.position
LIMIT $7;

-- name: vector_put
-- Stores nothing for a passage that is gone.  When two nodes made the same
-- vector, the first is kept.
INSERT INTO passage_vector
    (tenant, document, version, position, model, vector, seal)
SELECT p.tenant, p.document, p.version, p.position, $1, $2, $3
FROM passage p
WHERE p.tenant = $4 AND p.document = $5 AND p.version = $6
  AND p.position = $7
ON CONFLICT (tenant, document, version, position, model) DO UPDATE
SET vector = excluded.vector, seal = excluded.seal
WHERE length(passage_vector.vector) <> length(excluded.vector);

-- name: vectors_read
SELECT {vector_sealed}
FROM passage_vector v
WHERE v.tenant = $1 AND v.document = $2 AND v.version = $3 AND v.model = $4
  AND v.position > $5
ORDER BY v.position
LIMIT $6;

-- name: vectors_state
-- How many passages the documents of a course have, and how many vectors.
SELECT p.document, p.version, count(*) AS passages_n,
       count(v.position) AS vectors_n
FROM document d
JOIN passage p ON p.tenant = d.tenant AND p.document = d.document
    AND p.version = d.searchable_version
LEFT JOIN passage_vector v ON v.tenant = p.tenant AND v.document = p.document
    AND v.version = p.version AND v.position = p.position AND v.model = $1
    AND (CAST($2 AS bigint) = 0 OR length(v.vector) = CAST($2 AS bigint))
WHERE d.tenant = $3 AND d.course = $4 AND d.deleted_ms IS NULL
GROUP BY p.document, p.version
ORDER BY p.document;

-- name: vectors_models
SELECT v.model, count(*) AS vectors_n
FROM document d
JOIN passage_vector v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
GROUP BY v.model
ORDER BY v.model;

-- name: vectors_turn
-- The row is there when the turn is the asker's.
INSERT INTO vector_turn (tenant, course, model, holder, until_ms)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (tenant, course, model) DO UPDATE
SET holder = excluded.holder, until_ms = excluded.until_ms
WHERE vector_turn.holder = excluded.holder OR vector_turn.until_ms < $6
RETURNING course;

-- name: vectors_turn_end
DELETE FROM vector_turn
WHERE tenant = $1 AND course = $2 AND model = $3 AND holder = $4;
