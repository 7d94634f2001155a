-- Verdicts on the sentences of answers.

-- name: verdict_digests
-- The session's row is locked by then, so the next number is free.
SELECT record, digest FROM verdict
WHERE tenant = $1 AND session = $2 AND seq = $3
ORDER BY record;

-- name: verdict_insert
INSERT INTO verdict
    (tenant, session, seq, record, created_ms, judge, digest, sentences, judged,
     carried, unsupported, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: verdicts_of_session
SELECT {verdict_sealed} FROM verdict v
WHERE v.tenant = $1 AND v.session = $2
ORDER BY v.seq, v.record;

-- name: verdicts_of_message
SELECT {verdict_sealed} FROM verdict v
WHERE v.tenant = $1 AND v.session = $2 AND v.seq = $3
ORDER BY v.record;

-- name: history_verdicts
-- The same by names.
SELECT {verdict_sealed} FROM verdict v
WHERE (v.tenant, v.session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY v.seq, v.record;

-- name: verdicts_of_course @postgres
-- Of the answers that are shown and cite a document of the course.  $4: of this
-- account alone, 0 for all; $5 is the judge.
SELECT count(*) AS answers_n,
       coalesce(sum(CASE WHEN v.unsupported > 0 THEN 1 ELSE 0 END), 0)
           AS unsupported_n,
       coalesce(sum(v.judged), 0) AS judged_n,
       coalesce(sum(v.carried), 0) AS carried_n
FROM (SELECT DISTINCT m.tenant, m.session, m.seq
      FROM document d
      JOIN source c
          ON c.tenant = d.tenant AND c.document = d.document AND c.document > 0
      JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
      JOIN message m
          ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
      WHERE d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
        AND r.cited = 1 AND m.created_ms >= $3 AND m.shown = {SHOWN_ON}
        AND (CAST($4 AS bigint) = 0 OR m.owner = CAST($4 AS bigint))) a
JOIN verdict v ON v.tenant = a.tenant AND v.session = a.session AND v.seq = a.seq
WHERE v.judge = $5
  AND v.record = (SELECT max(w.record) FROM verdict w
                  WHERE w.tenant = v.tenant AND w.session = v.session
                    AND w.seq = v.seq AND w.judge = v.judge);

-- name: verdicts_of_course @sqlite
-- The same, see days_of_course.
SELECT count(*) AS answers_n,
       coalesce(sum(CASE WHEN v.unsupported > 0 THEN 1 ELSE 0 END), 0)
           AS unsupported_n,
       coalesce(sum(v.judged), 0) AS judged_n,
       coalesce(sum(v.carried), 0) AS carried_n
FROM (SELECT DISTINCT m.tenant, m.session, m.seq
      FROM document d
      CROSS JOIN source c
          ON c.tenant = d.tenant AND c.document = d.document AND c.document > 0
      CROSS JOIN source_reference r ON r.tenant = c.tenant AND r.source = c.source
      CROSS JOIN message m
          ON m.tenant = r.tenant AND m.session = r.session AND m.seq = r.seq
      WHERE +d.tenant = $1 AND d.course = $2 AND d.deleted_ms IS NULL
        AND r.cited = 1 AND m.created_ms >= $3 AND m.shown = {SHOWN_ON}
        AND (CAST($4 AS bigint) = 0 OR m.owner = CAST($4 AS bigint))) a
CROSS JOIN verdict v ON v.tenant = a.tenant AND v.session = a.session AND v.seq = a.seq
WHERE v.judge = $5
  AND v.record = (SELECT max(w.record) FROM verdict w
                  WHERE w.tenant = v.tenant AND w.session = v.session
                    AND w.seq = v.seq AND w.judge = v.judge);
