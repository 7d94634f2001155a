-- Finding sessions by words.

-- name: find_in_session
-- The first text of one session that has all the words: its title, a question
-- or an answer; of the path that is shown before those of other branches.  A
-- title that is the question's beginning is found as the question.  The words
-- are patterns; an unused one is '%'.  This scans the whole session; the caller
-- bounds the number of sessions.
SELECT f.place, f.seq
FROM (
    SELECT 0 AS hidden, 0 AS place, 0 AS seq
    FROM session s
    WHERE s.tenant = $1 AND s.session = $2
      AND lower(s.title) LIKE lower($3) ESCAPE '!'
      AND lower(s.title) LIKE lower($4) ESCAPE '!'
      AND lower(s.title) LIKE lower($5) ESCAPE '!'
      AND lower(s.title) LIKE lower($6) ESCAPE '!'
      AND NOT EXISTS (SELECT 1 FROM message q
                      WHERE q.tenant = s.tenant AND q.session = s.session
                        AND q.role = {ROLE_USER} AND q.shown = {SHOWN_ON}
                        AND substr(q.content, 1, length(s.title)) = s.title)
    UNION ALL
    SELECT CASE WHEN m.shown = {SHOWN_ON} THEN 0 ELSE 1 END, m.role, m.seq
    FROM message m
    WHERE m.tenant = $1 AND m.session = $2
      AND m.role IN ({ROLE_USER}, {ROLE_ASSISTANT})
      AND lower(m.content) LIKE lower($3) ESCAPE '!'
      AND lower(m.content) LIKE lower($4) ESCAPE '!'
      AND lower(m.content) LIKE lower($5) ESCAPE '!'
      AND lower(m.content) LIKE lower($6) ESCAPE '!'
) f
ORDER BY f.hidden, f.place, f.seq
LIMIT 1;

-- name: find_in_sources @sqlite
-- The sources of a list, a JSON array of keys, whose previews have all the
-- words; each of the others is a row of NULL, see sources_of.  The caller
-- checks the rights.
SELECT c.source
FROM json_each($1) k
LEFT JOIN source c
    ON c.tenant = $2 AND c.source = k.value
       AND lower(c.preview) LIKE lower($3) ESCAPE '!'
       AND lower(c.preview) LIKE lower($4) ESCAPE '!'
       AND lower(c.preview) LIKE lower($5) ESCAPE '!'
       AND lower(c.preview) LIKE lower($6) ESCAPE '!';

-- name: find_in_sources @postgres
SELECT c.source
FROM unnest(CAST(translate($1, '[]', '{}') AS integer[])) k
LEFT JOIN source c
    ON c.tenant = $2 AND c.source = k
       AND lower(c.preview) LIKE lower($3) ESCAPE '!'
       AND lower(c.preview) LIKE lower($4) ESCAPE '!'
       AND lower(c.preview) LIKE lower($5) ESCAPE '!'
       AND lower(c.preview) LIKE lower($6) ESCAPE '!';
