-- 0004 vectors: what a model of embeddings makes of passages.
-- The same table as ../sqlite/0004_vectors.sql, in schema ai.
--
-- Only there when one is configured; they go with their passages.  `vector` is
-- floats of four bytes, lowest byte first, of length one.

CREATE TABLE passage_vector (
    tenant   integer NOT NULL,
    document integer NOT NULL,
    version  integer NOT NULL,
    position integer NOT NULL,
    model    text    COLLATE "C" NOT NULL,
    vector   bytea   NOT NULL CHECK (length(vector) > 0),
    PRIMARY KEY (tenant, document, version, position, model),
    FOREIGN KEY (tenant, document, version, position)
        REFERENCES passage (tenant, document, version, position)
        ON DELETE CASCADE
);
