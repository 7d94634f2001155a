-- 0008 boxes: where a passage stands on the page of its PDF.
--
-- Boxes of its words, in the few bytes of docs/schema.md.  They are the
-- passage's and go with it; older passages have none.

ALTER TABLE passage ADD COLUMN boxes BLOB;
