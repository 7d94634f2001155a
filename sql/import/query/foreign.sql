-- What an import asks of the other program's database.  Nothing is known of its
-- tables but their names, so rows come as JSON, with every column there is.

-- name: foreign_table
-- Whether that table is there, and how many blocks it has.  A view has none.
SELECT pg_relation_size(c.oid)
           / CAST(current_setting('block_size') AS bigint) AS blocks
FROM pg_class c
WHERE c.oid = to_regclass(CAST($1 AS text)) AND c.relkind = 'r';

-- name: foreign_rows
-- The rows of some blocks, in one snapshot with all others: any table can be
-- read so, in pieces and once.  src/import/foreign.c puts the name of the
-- table in the place of import_table.  Not jsonb, which knows no \u0000.
SELECT CAST(row_to_json(t) AS text) AS json
FROM import_table t
WHERE t.ctid >= CAST(CAST($1 AS text) AS tid)
  AND t.ctid < CAST(CAST($2 AS text) AS tid);

-- name: lite_columns
-- What makes a JSON object of a row: the columns of a table of SQLite, which
-- src/import/lite.c puts in the place of import_columns.  No JSON has blobs.
-- Not there: NULL.
SELECT group_concat(
    quote(name) || ', CASE typeof("' || replace(name, '"', '""')
        || '") WHEN ''blob'' THEN NULL ELSE "' || replace(name, '"', '""')
        || '" END', ', ') AS columns
FROM pragma_table_info(CAST($1 AS text));

-- name: lite_rows
SELECT json_object(import_columns) AS json FROM import_table;
