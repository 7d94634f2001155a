-- Finding sessions by words.

-- name: find_in_session
-- Texts of one session that have all the words: its title, questions, answers,
-- and the previews of sources, whose rights are looked at by the reader.  A
-- title that is the question's beginning is found as the question.  The words
-- are patterns; one that is not needed is '%'.  Whole scans, but of one
-- session: who asks decides how many.
SELECT f.place, f.seq, f.id, f.body, f.source
FROM (
    SELECT 0 AS place, 0 AS seq, NULL AS id, s.title AS body, 0 AS source
    FROM session s
    WHERE s.tenant = $1 AND s.session = $2
      AND lower(s.title) LIKE lower($3) ESCAPE '!'
      AND lower(s.title) LIKE lower($4) ESCAPE '!'
      AND lower(s.title) LIKE lower($5) ESCAPE '!'
      AND lower(s.title) LIKE lower($6) ESCAPE '!'
      AND NOT EXISTS (SELECT 1 FROM message q
                      WHERE q.tenant = s.tenant AND q.session = s.session
                        AND q.role = 1 AND q.replaced_by IS NULL
                        AND substr(q.content, 1, length(s.title)) = s.title)
    UNION ALL
    SELECT m.role, m.seq, m.id, m.content, 0
    FROM message m
    WHERE m.tenant = $1 AND m.session = $2 AND m.replaced_by IS NULL
      AND m.role IN (1, 2)
      AND lower(m.content) LIKE lower($3) ESCAPE '!'
      AND lower(m.content) LIKE lower($4) ESCAPE '!'
      AND lower(m.content) LIKE lower($5) ESCAPE '!'
      AND lower(m.content) LIKE lower($6) ESCAPE '!'
    UNION ALL
    SELECT 2 + m.role, m.seq, m.id, NULL, r.source
    FROM message_source_refs r
    JOIN message m
        ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
    JOIN course_sources c ON c.tenant = r.tenant AND c.source = r.source
    WHERE r.tenant = $1 AND r.session = $2 AND m.replaced_by IS NULL
      AND lower(c.preview) LIKE lower($3) ESCAPE '!'
      AND lower(c.preview) LIKE lower($4) ESCAPE '!'
      AND lower(c.preview) LIKE lower($5) ESCAPE '!'
      AND lower(c.preview) LIKE lower($6) ESCAPE '!'
) f
ORDER BY f.place, f.seq
LIMIT 20;

-- name: find_answer
-- The answer that shows what was retrieved for a question.
SELECT id FROM message
WHERE tenant = $1 AND session = $2 AND seq > $3 AND role = 2
  AND replaced_by IS NULL
ORDER BY seq
LIMIT 1;
