-- 0010 statistics: what the planner is to know from the beginning.
--
-- A planner that knows nothing of a table takes `tenant = $1` for one row in
-- 200, and of a small table for one row.  Then every index that holds the
-- tenant looks as good as the key, joins begin anywhere, and what should be a
-- look-up walks over all that the tenant has, for each row of the others.  A
-- minute later the server has analysed the tables and plans well, but by then
-- a new installation has failed its first users.
--
-- So the tenant counts as what tells no rows apart, and the tables are
-- analysed here: with forty rows each, which are gone when this commits,
-- because an empty table gets no statistics at all.

DO $$
DECLARE
    t regclass;
BEGIN
    FOR t IN SELECT attrelid FROM pg_attribute
             JOIN pg_class c ON c.oid = attrelid AND c.relkind = 'r'
             WHERE attname = 'tenant' AND c.relnamespace = 'ai'::regnamespace
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN tenant '
                       'SET (n_distinct = 1)', t);
    END LOOP;
END $$;

INSERT INTO tenant (tenant, name)
SELECT -n, n FROM generate_series(1, 40) n;
INSERT INTO account (tenant, account, name)
SELECT -1, n, n FROM generate_series(1, 40) n;
INSERT INTO course (tenant, course, id, owner, created_ms)
SELECT -1, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO course_member (tenant, course, account, role)
SELECT -1, n, n, 1 FROM generate_series(1, 40) n;
INSERT INTO document (tenant, document, id, course, kind, date, url, version,
                      searchable_version, status, created_ms)
SELECT -1, n, n, n, 1, n, n, n, n, 0, n FROM generate_series(1, 40) n;
INSERT INTO document_version (tenant, document, version, digest, object_key,
                              recording_key, created_ms)
SELECT -1, n, n, sha256(n::text::bytea), n, n, n
FROM generate_series(1, 40) n;
INSERT INTO passage (tenant, document, version, position, page, text)
SELECT -1, n, n, n, n, '' FROM generate_series(1, 40) n;
INSERT INTO passage_vector (tenant, document, version, position, model, vector)
SELECT -1, n, n, n, n, ' ' FROM generate_series(1, 40) n;
INSERT INTO object (tenant, object_key, bytes, digest, created_ms, deleted_ms)
SELECT -1, n, n, sha256(n::text::bytea), n, nullif(n % 2, 0)
FROM generate_series(1, 40) n;
INSERT INTO ingest_job (tenant, document, version, created_ms, epoch, node)
SELECT -1, n, n, n, n, nullif(n % 2, 0) FROM generate_series(1, 40) n;
INSERT INTO session (tenant, session, owner, id, course, created_ms, active_ms)
SELECT -1, n, n, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO message (tenant, session, seq, owner, id, role, status, created_ms,
                     image_s3key)
SELECT -1, n / 5, n, n, n, 2, 0, n, n FROM generate_series(1, 40) n;
INSERT INTO answer_lease (tenant, session, seq, epoch, node, until_ms)
SELECT -1, n, n, n, n, n FROM generate_series(1, 40) n;
INSERT INTO answer_text (tenant, session, seq, part, text)
SELECT -1, n / 5, n, n, '' FROM generate_series(1, 40) n;
INSERT INTO course_sources (tenant, source, pool, digest, version, source_type,
                            source_key, document_id, preview)
SELECT -1, n, n, sha256(n::text::bytea), n, 2, n, n, n
FROM generate_series(1, 40) n;
INSERT INTO message_source_refs (tenant, session, seq, number, source, spans)
SELECT -1, n / 5, n, n, n, '' FROM generate_series(1, 40) n;
INSERT INTO retrieval_event (tenant, session, event, id, seq, answer, kind,
                             query, numbers, created_ms)
SELECT -1, n / 5, n, n, n, n, 1, '', '[]', n FROM generate_series(1, 40) n;
INSERT INTO idempotency_key (tenant, account, scope, key, request, created_ms)
SELECT -1, n, n, n, sha256(n::text::bytea), n FROM generate_series(1, 40) n;
INSERT INTO snapshot (tenant, owner, label, course, slide, page, media_type,
                      object_key, created_ms)
SELECT -1, n, n, n, n, n, '', n, n FROM generate_series(1, 40) n;

ANALYZE tenant, account, course, course_member, document, document_version,
    passage, passage_vector, object, ingest_job, session, message,
    answer_lease, answer_text, course_sources, message_source_refs,
    retrieval_event, idempotency_key, snapshot;

DELETE FROM snapshot WHERE tenant = -1;
DELETE FROM idempotency_key WHERE tenant = -1;
DELETE FROM retrieval_event WHERE tenant = -1;
DELETE FROM message_source_refs WHERE tenant = -1;
DELETE FROM course_sources WHERE tenant = -1;
DELETE FROM answer_text WHERE tenant = -1;
DELETE FROM answer_lease WHERE tenant = -1;
DELETE FROM message WHERE tenant = -1;
DELETE FROM session WHERE tenant = -1;
DELETE FROM ingest_job WHERE tenant = -1;
DELETE FROM object WHERE tenant = -1;
DELETE FROM passage_vector WHERE tenant = -1;
DELETE FROM passage WHERE tenant = -1;
DELETE FROM document_version WHERE tenant = -1;
DELETE FROM document WHERE tenant = -1;
DELETE FROM course_member WHERE tenant = -1;
DELETE FROM course WHERE tenant = -1;
DELETE FROM account WHERE tenant = -1;
DELETE FROM tenant WHERE tenant < 0;
