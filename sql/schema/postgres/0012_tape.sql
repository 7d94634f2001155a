-- 0012 tape: the newest words of all answers that a process writes.
-- The same table as ../sqlite/0012_tape.sql, in schema ai, but numbered by each
-- node for itself.

CREATE TABLE answer_tape (
    node   text   NOT NULL,
    at     bigint NOT NULL,
    pieces bytea  NOT NULL, -- of (epoch, part, text): see docs/schema.md
    PRIMARY KEY (node, at)
);

-- What stood beside a lease, behind all rows that it has.
INSERT INTO answer_text (tenant, session, seq, part, text)
SELECT tenant, session, seq, parts, text FROM answer_lease
WHERE length(text) > 0;
ALTER TABLE answer_lease DROP COLUMN text;
