-- 0007 coverage: how much of its question each found passage has.
--
-- A JSON array beside `numbers`: 0 to 1, in thousandths, one for each.

ALTER TABLE retrieval_event ADD COLUMN coverage TEXT;
