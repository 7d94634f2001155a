-- 0001 staged: SQLite alone has it.
SELECT 1;
