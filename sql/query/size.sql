-- How large the database is, for monitoring.

-- name: size_read @sqlite
-- Pages that are still in the log count as well.
SELECT page_count * page_size AS bytes
FROM pragma_page_count(), pragma_page_size();

-- name: size_read @postgres
SELECT pg_database_size(current_database()) AS bytes;
