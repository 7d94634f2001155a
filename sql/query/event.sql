-- Retrieval events.

-- name: event_next
SELECT coalesce(max(event), 0) + 1 AS event FROM retrieval_event
WHERE tenant = $1 AND session = $2;

-- name: event_insert
-- The session's row is locked by then, so the ordinal is free.
INSERT INTO retrieval_event
    (tenant, session, event, seq, answer, created_ms, kind, low_confidence, id,
     numbers, coverage, query, seal)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13);

-- name: events_of_session
SELECT {event_sealed} FROM retrieval_event e
WHERE e.tenant = $1 AND e.session = $2
ORDER BY e.event;

-- name: history_events
-- The same by names.
SELECT {event_sealed} FROM retrieval_event e
WHERE (e.tenant, e.session) = (
    SELECT s.tenant, s.session
    FROM tenant t
    JOIN account a ON a.tenant = t.tenant AND a.name = $1
    JOIN session s ON s.tenant = t.tenant AND s.owner = a.account AND s.id = $2
    WHERE t.name = $3)
ORDER BY e.event;

-- name: event_find
-- Asked when an earlier run may have been committed, or the caller brought
-- the id.
SELECT event FROM retrieval_event
WHERE tenant = $1 AND session = $2 AND id = $3;
