-- 0001 staged: a temporary database, for the length of one import.
--
-- Texts are blobs: they are another program's, and compared byte for byte.

-- Rows are appended, and the index is small: sources come in any order.
CREATE TABLE staged (
    number INTEGER PRIMARY KEY,
    tab    INTEGER NOT NULL, -- of the kind's list
    key    BLOB NOT NULL,    -- of its session, or whatever it is looked up by
    line   INTEGER NOT NULL, -- in its file, or how many rows came before
    id     BLOB,
    json   BLOB NOT NULL
) STRICT;

CREATE INDEX staged_key ON staged (tab, key);

CREATE TABLE staged_session (
    number INTEGER PRIMARY KEY,
    key    BLOB NOT NULL UNIQUE
) STRICT;

CREATE TABLE staged_user (
    theirs BLOB PRIMARY KEY,
    ours   BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Who can let others into a course.
CREATE TABLE staged_course (
    id    BLOB PRIMARY KEY,
    owner BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE staged_member (
    course BLOB,
    member BLOB,
    PRIMARY KEY (course, member)
) STRICT, WITHOUT ROWID;

-- Sources that were counted.
CREATE TABLE staged_source (
    digest BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;
