-- Seals: three statements for each table of ../sealed.sql.  One reads a row by
-- its key; one writes its seal, made anew by an operation that has changed the
-- row; one reads the rows behind a key, for the scrub.

-- name: tenant_seal_read
SELECT {tenant_sealed} FROM tenant t
WHERE t.tenant = $1;

-- name: tenant_seal_write
UPDATE tenant SET seal = $1
WHERE tenant = $2;

-- name: tenant_scrub
SELECT {tenant_sealed} FROM tenant t
WHERE t.tenant > $1
ORDER BY t.tenant
LIMIT $2;

-- name: account_seal_read
SELECT {account_sealed} FROM account a
WHERE a.tenant = $1 AND a.account = $2;

-- name: account_seal_write
UPDATE account SET seal = $1
WHERE tenant = $2 AND account = $3;

-- name: account_scrub
SELECT {account_sealed} FROM account a
WHERE (a.tenant, a.account) > ($1, $2)
ORDER BY a.tenant, a.account
LIMIT $3;

-- name: api_key_seal_read
SELECT {api_key_sealed} FROM api_key k
WHERE k.prefix = $1;

-- name: api_key_seal_write
UPDATE api_key SET seal = $1
WHERE prefix = $2;

-- name: api_key_scrub
SELECT {api_key_sealed} FROM api_key k
WHERE k.prefix > $1
ORDER BY k.prefix
LIMIT $2;

-- name: course_seal_read
SELECT {course_sealed} FROM course c
WHERE c.tenant = $1 AND c.course = $2;

-- name: course_seal_write
UPDATE course SET seal = $1
WHERE tenant = $2 AND course = $3;

-- name: course_scrub
SELECT {course_sealed} FROM course c
WHERE (c.tenant, c.course) > ($1, $2)
ORDER BY c.tenant, c.course
LIMIT $3;

-- name: member_seal_read
SELECT {member_sealed} FROM course_member m
WHERE m.tenant = $1 AND m.course = $2 AND m.account = $3;

-- name: member_seal_write
UPDATE course_member SET seal = $1
WHERE tenant = $2 AND course = $3 AND account = $4;

-- name: member_scrub
SELECT {member_sealed} FROM course_member m
WHERE (m.tenant, m.course, m.account) > ($1, $2, $3)
ORDER BY m.tenant, m.course, m.account
LIMIT $4;

-- name: document_seal_read
SELECT {document_sealed} FROM document d
WHERE d.tenant = $1 AND d.document = $2;

-- name: document_seal_write
UPDATE document SET seal = $1
WHERE tenant = $2 AND document = $3;

-- name: document_scrub
SELECT {document_sealed} FROM document d
WHERE (d.tenant, d.document) > ($1, $2)
ORDER BY d.tenant, d.document
LIMIT $3;

-- name: version_seal_read
SELECT {version_sealed} FROM document_version v
WHERE v.tenant = $1 AND v.document = $2 AND v.version = $3;

-- name: version_seal_write
UPDATE document_version SET seal = $1
WHERE tenant = $2 AND document = $3 AND version = $4;

-- name: version_scrub
SELECT {version_sealed} FROM document_version v
WHERE (v.tenant, v.document, v.version) > ($1, $2, $3)
ORDER BY v.tenant, v.document, v.version
LIMIT $4;

-- name: passage_seal_read
SELECT {passage_sealed} FROM passage p
WHERE p.tenant = $1 AND p.document = $2 AND p.version = $3 AND p.position = $4;

-- name: passage_seal_write
UPDATE passage SET seal = $1
WHERE tenant = $2 AND document = $3 AND version = $4 AND position = $5;

-- name: passage_scrub
SELECT {passage_sealed} FROM passage p
WHERE (p.tenant, p.document, p.version, p.position) > ($1, $2, $3, $4)
ORDER BY p.tenant, p.document, p.version, p.position
LIMIT $5;

-- name: session_seal_read
SELECT {session_sealed} FROM session s
WHERE s.tenant = $1 AND s.session = $2;

-- name: session_seal_write
UPDATE session SET seal = $1
WHERE tenant = $2 AND session = $3;

-- name: session_scrub
SELECT {session_sealed} FROM session s
WHERE (s.tenant, s.session) > ($1, $2)
ORDER BY s.tenant, s.session
LIMIT $3;

-- name: message_seal_read
SELECT {message_sealed} FROM message
WHERE tenant = $1 AND session = $2 AND seq = $3;

-- name: message_seal_write
UPDATE message SET seal = $1
WHERE tenant = $2 AND session = $3 AND seq = $4;

-- name: message_scrub
SELECT {message_sealed} FROM message
WHERE (tenant, session, seq) > ($1, $2, $3)
ORDER BY tenant, session, seq
LIMIT $4;

-- name: source_seal_read
SELECT {source_sealed} FROM source c
WHERE c.tenant = $1 AND c.source = $2;

-- name: source_seal_write
UPDATE source SET seal = $1
WHERE tenant = $2 AND source = $3;

-- name: source_scrub
SELECT {source_sealed} FROM source c
WHERE (c.tenant, c.source) > ($1, $2)
ORDER BY c.tenant, c.source
LIMIT $3;

-- name: event_seal_read
SELECT {event_sealed} FROM retrieval_event e
WHERE e.tenant = $1 AND e.session = $2 AND e.event = $3;

-- name: event_seal_write
UPDATE retrieval_event SET seal = $1
WHERE tenant = $2 AND session = $3 AND event = $4;

-- name: event_scrub
SELECT {event_sealed} FROM retrieval_event e
WHERE (e.tenant, e.session, e.event) > ($1, $2, $3)
ORDER BY e.tenant, e.session, e.event
LIMIT $4;

-- name: verdict_seal_read
SELECT {verdict_sealed} FROM verdict v
WHERE v.tenant = $1 AND v.session = $2 AND v.seq = $3 AND v.record = $4;

-- name: verdict_seal_write
UPDATE verdict SET seal = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND record = $5;

-- name: verdict_scrub
SELECT {verdict_sealed} FROM verdict v
WHERE (v.tenant, v.session, v.seq, v.record) > ($1, $2, $3, $4)
ORDER BY v.tenant, v.session, v.seq, v.record
LIMIT $5;

-- name: vector_seal_read
SELECT {vector_sealed} FROM passage_vector v
WHERE v.tenant = $1 AND v.document = $2 AND v.version = $3 AND v.position = $4
  AND v.model = $5;

-- name: vector_seal_write
UPDATE passage_vector SET seal = $1
WHERE tenant = $2 AND document = $3 AND version = $4 AND position = $5
  AND model = $6;

-- name: vector_scrub
SELECT {vector_sealed} FROM passage_vector v
WHERE (v.tenant, v.document, v.version, v.position, v.model)
      > ($1, $2, $3, $4, $5)
ORDER BY v.tenant, v.document, v.version, v.position, v.model
LIMIT $6;

-- name: snapshot_seal_read
SELECT {snapshot_sealed} FROM snapshot s
WHERE s.tenant = $1 AND s.owner = $2 AND s.label = $3;

-- name: snapshot_seal_write
UPDATE snapshot SET seal = $1
WHERE tenant = $2 AND owner = $3 AND label = $4;

-- name: snapshot_scrub
SELECT {snapshot_sealed} FROM snapshot s
WHERE (s.tenant, s.owner, s.label) > ($1, $2, $3)
ORDER BY s.tenant, s.owner, s.label
LIMIT $4;

-- name: text_seal_read
SELECT {text_sealed} FROM answer_text a
WHERE a.tenant = $1 AND a.session = $2 AND a.seq = $3 AND a.part = $4;

-- name: text_seal_write
UPDATE answer_text SET seal = $1
WHERE tenant = $2 AND session = $3 AND seq = $4 AND part = $5;

-- name: text_scrub
SELECT {text_sealed} FROM answer_text a
WHERE (a.tenant, a.session, a.seq, a.part) > ($1, $2, $3, $4)
ORDER BY a.tenant, a.session, a.seq, a.part
LIMIT $5;

-- name: login_seal_read
SELECT {login_sealed} FROM login l
WHERE l.id = $1;

-- name: login_seal_write
UPDATE login SET seal = $1
WHERE id = $2;

-- name: login_scrub
SELECT {login_sealed} FROM login l
WHERE l.id > $1
ORDER BY l.id
LIMIT $2;

-- name: share_seal_read
SELECT {share_sealed} FROM share h
WHERE h.id = $1;

-- name: share_seal_write
UPDATE share SET seal = $1
WHERE id = $2;

-- name: share_scrub
SELECT {share_sealed} FROM share h
WHERE h.id > $1
ORDER BY h.id
LIMIT $2;

-- name: audit_seal_read
SELECT {audit_sealed} FROM audit u
WHERE u.tenant = $1 AND u.id = $2;

-- name: audit_seal_write
UPDATE audit SET seal = $1
WHERE tenant = $2 AND id = $3;

-- name: audit_scrub
SELECT {audit_sealed} FROM audit u
WHERE (u.tenant, u.id) > ($1, $2)
ORDER BY u.tenant, u.id
LIMIT $3;
