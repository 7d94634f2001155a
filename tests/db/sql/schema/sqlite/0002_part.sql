-- 0002 part: something that belongs to a thing.

CREATE TABLE part (
    thing_id  INTEGER NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
    number    INTEGER NOT NULL,
    small     INTEGER NOT NULL,
    flag      INTEGER,
    PRIMARY KEY (thing_id, number)
) STRICT;

CREATE INDEX part_small ON part (small);
