-- 0009 lease text: the newest words of a running answer, beside its lease.
-- The same column as ../sqlite/0009_lease_text.sql, in schema ai.
--
-- A row that is written anyway: what came last is in `text`, and goes to
-- answer_text some pieces at a time.

ALTER TABLE answer_lease ADD COLUMN text bytea NOT NULL DEFAULT '';
