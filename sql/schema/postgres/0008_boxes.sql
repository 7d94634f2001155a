-- 0008 boxes: where a passage stands on the page of its PDF.
-- The same column as ../sqlite/0008_boxes.sql, in schema ai.
--
-- Boxes of its words, in the few bytes of docs/schema.md.  They are the
-- passage's and go with it; older passages have none.

ALTER TABLE passage ADD COLUMN boxes bytea;
