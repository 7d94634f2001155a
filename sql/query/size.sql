-- How large the database is, for monitoring.

-- name: size_read @sqlite
-- Pages that are still in the log count as well.
SELECT page_count * page_size AS bytes
FROM pragma_page_count(), pragma_page_size();

-- name: size_read @postgres
SELECT pg_database_size(current_database()) AS bytes;

-- name: size_file @sqlite
SELECT file FROM pragma_database_list WHERE name = 'main';

-- name: size_file @postgres
-- What its server keeps is its own business.
SELECT '' AS file;
