-- 0009 lease text: the newest words of a running answer, beside its lease.
--
-- Leases of many answers share a page and each has to be written anyway: what
-- came last is in `text`, and goes to answer_text some pieces at a time.  So
-- `parts` counts pieces, not rows.

ALTER TABLE answer_lease ADD COLUMN text BLOB NOT NULL DEFAULT x'';
