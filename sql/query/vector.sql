-- Vectors of passages, by model.

-- name: vectors_missing
-- Passages of a document without a vector by this model.
SELECT {passage_sealed}
FROM passage p
LEFT JOIN passage_vector v ON v.tenant = p.tenant AND v.document = p.document
    AND v.version = p.version AND v.position = p.position AND v.model = $1
WHERE p.tenant = $2 AND p.document = $3 AND p.version = $4
  AND p.position > $5 AND v.position IS NULL
ORDER BY p.position
LIMIT $6;

-- name: vector_put
-- Stores nothing for a passage that is gone.  When two nodes made the same
-- vector, the first is kept.
INSERT INTO passage_vector
    (tenant, document, version, position, model, vector, seal)
SELECT p.tenant, p.document, p.version, p.position, $1, $2, $3
FROM passage p
WHERE p.tenant = $4 AND p.document = $5 AND p.version = $6
  AND p.position = $7
ON CONFLICT (tenant, document, version, position, model) DO NOTHING;

-- name: vectors_read
SELECT {vector_sealed}
FROM document d
JOIN passage_vector v ON v.tenant = d.tenant AND v.document = d.document
    AND v.version = d.searchable_version
WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
  AND v.model = $3
ORDER BY v.document, v.position
LIMIT $4;
