-- 0011 refs: a message's references in its own row.
--
-- The same as ../sqlite/0011_refs.sql.  varint() is here while this runs.

ALTER TABLE message ADD COLUMN refs bytea;

CREATE FUNCTION one_byte(v bigint) RETURNS bytea LANGUAGE sql IMMUTABLE
AS $$ SELECT set_byte('\x00'::bytea, 0, v::integer) $$;
CREATE FUNCTION varint(v bigint) RETURNS bytea LANGUAGE sql IMMUTABLE
AS $$
SELECT CASE
    WHEN v < 128 THEN one_byte(v)
    WHEN v < 16384 THEN one_byte(v & 127 | 128) || one_byte(v >> 7)
    WHEN v < 2097152 THEN one_byte(v & 127 | 128)
        || one_byte(v >> 7 & 127 | 128) || one_byte(v >> 14)
    WHEN v < 268435456 THEN one_byte(v & 127 | 128)
        || one_byte(v >> 7 & 127 | 128) || one_byte(v >> 14 & 127 | 128)
        || one_byte(v >> 21)
    ELSE one_byte(v & 127 | 128) || one_byte(v >> 7 & 127 | 128)
        || one_byte(v >> 14 & 127 | 128) || one_byte(v >> 21 & 127 | 128)
        || one_byte(v >> 28)
END $$;

UPDATE message m
SET refs = p.refs
FROM (
    SELECT tenant, session, seq,
           varint(count(*)) || string_agg(ref, '' ORDER BY number) AS refs
    FROM (SELECT tenant, session, seq, number,
                 varint(8 * gap + (support IS NOT NULL)::int
                        + 2 * (coalesce(length(spans), 0) > 0)::int
                        + 4 * (score IS NOT NULL)::int)
                 || varint(source)
                 || CASE WHEN support IS NULL THEN '' ELSE varint(support) END
                 || CASE WHEN coalesce(length(spans), 0) = 0 THEN ''
                         ELSE varint(length(spans)) || spans END
                 || CASE WHEN score IS NULL THEN '' ELSE float8send(score) END
                 AS ref
          FROM (SELECT r.*, (r.number - lag(r.number, 1, 0) OVER (
                                 PARTITION BY r.tenant, r.session, r.seq
                                 ORDER BY r.number))::bigint AS gap
                FROM message_source_refs r) numbered) packed
    GROUP BY tenant, session, seq) p
WHERE m.tenant = p.tenant AND m.session = p.session AND m.seq = p.seq;

DROP FUNCTION varint(bigint);
DROP FUNCTION one_byte(bigint);

DROP VIEW message_sources;
ALTER TABLE message_source_refs RENAME TO refs_before;

-- No key: message.refs has each of them once, and the index that follows is
-- all that is asked for.  It has the session, so that one answer's row is
-- found among all those of a source that everybody cites.
CREATE TABLE message_source_refs (
    session integer  NOT NULL,
    source  integer  NOT NULL,
    tenant  integer  NOT NULL,
    seq     integer  NOT NULL,
    number  integer  NOT NULL,
    cited   smallint NOT NULL -- 0: it was only read
);

INSERT INTO message_source_refs (tenant, source, session, seq, number, cited)
SELECT tenant, source, session, seq, number,
       (coalesce(length(spans), 0) > 0)::int
FROM refs_before;

DROP TABLE refs_before;

CREATE INDEX message_source_refs_by_source
    ON message_source_refs (source, tenant, session);

-- For people with SQL: one flat row per citation, public ids only.
CREATE VIEW message_sources AS
SELECT r.session || '/' || r.seq || '/' || r.number AS id,
       t.name                                       AS tenant,
       m.id                                         AS message_id,
       s.id                                         AS session_id,
       coalesce(c.source_id, c.source_key)          AS source_id,
       CASE c.source_type
           WHEN 1 THEN 'text' WHEN 2 THEN 'slide' WHEN 3 THEN 'lecture'
           WHEN 4 THEN 'journal' WHEN 5 THEN 'web' ELSE 'image'
       END                                          AS source_type,
       r.number                                     AS chunk_number,
       c.preview                                    AS content_preview,
       c.document_id                                AS document_id,
       c.slide_number                               AS slide_number,
       c.lecture_id                                 AS lecture_id,
       c.start_seconds                              AS start_seconds,
       c.end_seconds                                AS end_seconds,
       c.course_id                                  AS course_id,
       c.owner_id                                   AS owner_id,
       c.title                                      AS title,
       to_timestamp(m.created_ms / 1000.0)          AS created_at,
       r.cited = 1                                  AS cited
FROM message_source_refs r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
JOIN tenant t ON t.tenant = r.tenant;

-- What the planner is to know of the new table: see 0010.
ALTER TABLE message_source_refs ALTER COLUMN tenant SET (n_distinct = 1);
INSERT INTO message_source_refs (tenant, source, session, seq, number, cited)
SELECT -1, n, n / 5, n, n, 1 FROM generate_series(1, 40) n;
ANALYZE message_source_refs;
DELETE FROM message_source_refs WHERE tenant = -1;
