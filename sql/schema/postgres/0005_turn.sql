-- 0005 turn: what only a running turn knows of its answer.
--
-- late_from is the number of the first source that was found after the text
-- had begun: a reader gets the parts of an answer in the order in which they
-- were shown.

ALTER TABLE message ADD COLUMN model text;
ALTER TABLE message ADD COLUMN tokens_in bigint;
ALTER TABLE message ADD COLUMN tokens_out bigint;
ALTER TABLE message ADD COLUMN late_from bigint;
