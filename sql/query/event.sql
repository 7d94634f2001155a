-- Retrieval events.

-- name: event_next
SELECT coalesce(max(event), 0) + 1 AS event FROM retrieval_event
WHERE tenant = $1 AND session = $2;

-- name: event_insert
-- The session's row is locked by then, so the ordinal is free.
INSERT INTO retrieval_event
    (tenant, session, event, id, seq, answer, kind, query, low_confidence,
     numbers, created_ms, coverage)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12);

-- name: events_of_session
SELECT e.id, e.seq, e.answer, e.kind, e.query, e.low_confidence, e.numbers,
       e.created_ms, q.id AS question_id, a.id AS answer_id, e.coverage
FROM retrieval_event e
LEFT JOIN message q
    ON q.tenant = e.tenant AND q.session = e.session AND q.seq = e.seq
LEFT JOIN message a
    ON a.tenant = e.tenant AND a.session = e.session AND a.seq = e.answer
WHERE e.tenant = $1 AND e.session = $2
ORDER BY e.event;

-- columns: history_event
seq, answer, kind, low_confidence, id;

-- name: events_brief
-- What a history needs of them.
SELECT {history_event} FROM retrieval_event
WHERE tenant = $1 AND session = $2
ORDER BY event;

-- name: history_events
-- The same by names.
SELECT {history_event} FROM retrieval_event
WHERE (tenant, session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY event;

-- name: event_find
-- Asked only when an earlier run may have been committed.
SELECT event FROM retrieval_event
WHERE tenant = $1 AND session = $2 AND id = $3;
