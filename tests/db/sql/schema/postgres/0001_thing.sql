-- 0001 thing: one column of each type.

CREATE TABLE thing (
    id     bigint NOT NULL PRIMARY KEY,
    whole  bigint,
    real   double precision,
    words  TEXT,
    bytes  bytea,
    CHECK (words <> 'forbidden')
);
