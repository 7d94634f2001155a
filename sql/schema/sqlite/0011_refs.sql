-- 0011 refs: a message's references in its own row.
--
-- message.refs is what [n] means there, all of it: docs/schema.md has the form.
-- message_source_refs is the way back alone, from a source to the messages that
-- refer to it.  The driver lends varint() and float8send() to migrations: SQL
-- has no other way to the bytes of a double.

ALTER TABLE message ADD COLUMN refs BLOB;

UPDATE message
SET refs = (
    SELECT CAST(varint(count(*)) || group_concat(ref, '') AS BLOB)
    FROM (SELECT varint(8 * gap + (support IS NOT NULL)
                        + 2 * (coalesce(length(spans), 0) > 0)
                        + 4 * (score IS NOT NULL))
                 || varint(source)
                 || CASE WHEN support IS NULL THEN x'' ELSE varint(support) END
                 || CASE WHEN coalesce(length(spans), 0) = 0 THEN x''
                         ELSE varint(length(spans)) || spans END
                 || CASE WHEN score IS NULL THEN x'' ELSE float8send(score) END
                 AS ref
          FROM (SELECT r.*, r.number - lag(r.number, 1, 0)
                                       OVER (ORDER BY r.number) AS gap
                FROM message_source_refs r
                WHERE r.tenant = message.tenant
                  AND r.session = message.session AND r.seq = message.seq)
          ORDER BY number))
WHERE EXISTS (SELECT 1 FROM message_source_refs r
              WHERE r.tenant = message.tenant
                AND r.session = message.session AND r.seq = message.seq);

DROP VIEW message_sources;
ALTER TABLE message_source_refs RENAME TO refs_before;

-- The source comes before the tenant, or a planner takes all that the tenant
-- has for a good beginning.
CREATE TABLE message_source_refs (
    source  INTEGER NOT NULL,
    tenant  INTEGER NOT NULL,
    session INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    number  INTEGER NOT NULL,
    cited   INTEGER NOT NULL, -- 0: it was only read
    PRIMARY KEY (source, tenant, session, seq, number)
) STRICT, WITHOUT ROWID;

INSERT INTO message_source_refs (source, tenant, session, seq, number, cited)
SELECT source, tenant, session, seq, number, coalesce(length(spans), 0) > 0
FROM refs_before
ORDER BY source, tenant, session, seq, number;

DROP TABLE refs_before;

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
       strftime('%Y-%m-%dT%H:%M:%fZ', m.created_ms / 1000.0, 'unixepoch')
                                                    AS created_at,
       r.cited = 1                                  AS cited
FROM message_source_refs r
JOIN message m
    ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
JOIN session s ON s.tenant = r.tenant AND s.session = r.session
JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
JOIN tenant t ON t.tenant = r.tenant;
