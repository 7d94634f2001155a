-- 0001 thing: one column of each type.

CREATE TABLE thing (
    id     INTEGER NOT NULL PRIMARY KEY,
    whole  INTEGER,
    real   REAL,
    words  TEXT,
    bytes  BLOB,
    CHECK (words <> 'forbidden')
) STRICT;
