-- 0012 tape: the newest words of all answers that a process writes.
--
-- A row holds what one commit brought, for whichever answers: thousands of them
-- get a few words a second each, and in rows of their own these are a page of
-- the log each.  What an answer has there moves on to answer_text half a
-- kilobyte at a time; answer_lease.parts says how far.

CREATE TABLE answer_tape (
    at     INTEGER PRIMARY KEY,
    node   TEXT NOT NULL,
    pieces BLOB NOT NULL -- of (epoch, part, text): see docs/schema.md
) STRICT;

-- What stood beside a lease, behind all rows that it has.
INSERT INTO answer_text (tenant, session, seq, part, text)
SELECT tenant, session, seq, parts, text FROM answer_lease
WHERE length(text) > 0;
ALTER TABLE answer_lease DROP COLUMN text;
