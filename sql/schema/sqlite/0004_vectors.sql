-- 0004 vectors: what a model of embeddings makes of passages.
--
-- Only there when one is configured; they go with their passages.  `vector` is
-- floats of four bytes, lowest byte first, of length one.

CREATE TABLE passage_vector (
    tenant   INTEGER NOT NULL,
    document INTEGER NOT NULL,
    version  INTEGER NOT NULL,
    position INTEGER NOT NULL,
    model    TEXT    NOT NULL,
    vector   BLOB    NOT NULL CHECK (length(vector) > 0),
    PRIMARY KEY (tenant, document, version, position, model),
    FOREIGN KEY (tenant, document, version, position)
        REFERENCES passage (tenant, document, version, position)
        ON DELETE CASCADE
) STRICT;
