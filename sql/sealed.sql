-- sealed.sql - the columns that a row's seal covers, each list ending in it.
--
-- A list is told here once: what shows such a row, ranks it or decides by it
-- selects the list and checks the seal (src/store/seal.h) before it reads.  A
-- column's place in its list is part of the seal, so a new one comes last,
-- before `seal`; one that is NULL adds nothing.  What moves with every save
-- (last_seq, versions, activity, progress) stands outside, and so do
-- saved_digest, which is only compared, `shown`, `place`, and `emptying`, which
-- counts for deleted documents alone.

-- columns: tenant_sealed
t.tenant, t.name, t.seal;

-- columns: account_sealed
a.tenant, a.account, a.name, a.seal;

-- columns: api_key_sealed
k.prefix, k.created_ms, k.revoked_ms, k.admin, k.digest, k.tenant_name,
k.user_name, k.expires_ms, k.label, k.scope, k.seal;

-- columns: login_sealed
l.id, l.created_ms, l.expires_ms, l.revoked_ms, l.digest, l.method,
l.tenant_name, l.user_name, l.key_prefix, l.agent, l.admin, l.seal;

-- columns: share_sealed
h.id, h.created_ms, h.expires_ms, h.revoked_ms, h.single, h.files, h.digest,
h.tenant_name, h.user_name, h.session, h.message, h.seal;

-- The address is not among them: it goes.
-- columns: audit_sealed
u.tenant, u.id, u.account, u.at_ms, u.action, u.about, u.key_prefix, u.seal;

-- columns: course_sealed
c.tenant, c.course, c.owner, c.created_ms, c.deleted_ms, c.id, c.title,
c.archived_ms, c.description, c.insights, c.seal;

-- columns: member_sealed
m.tenant, m.course, m.account, m.role, m.origin, m.seal;

-- What the asker, o, and everybody, e, are in a course; see course_role_of().
-- columns: roles
o.role AS own_role, o.origin AS own_origin, o.seal AS own_seal,
e.role AS everybody_role, e.origin AS everybody_origin,
e.seal AS everybody_seal;

-- columns: document_sealed
d.tenant, d.document, d.course, d.account, d.kind, d.status, d.version,
d.searchable_version, d.redacted, d.created_ms, d.deleted_ms, d.id, d.date,
d.title, d.url, d.error, d.error_code, d.seal;

-- columns: version_sealed
v.tenant, v.document, v.version, v.account, v.created_ms, v.bytes, v.pages,
v.seconds, v.digest, v.filename, v.media_type, v.object_key, v.language,
v.warning, v.recording_key, v.recording_url, v.recording_name,
v.recording_type, v.layout, v.page_labels, v.encoding, v.seal;

-- columns: passage_sealed
p.tenant, p.document, p.version, p.position, p.page, p.start_seconds,
p.end_seconds, p.heading, p.text, p.extra, p.boxes, p.locator, p.seal;

-- columns: session_sealed
s.tenant, s.session, s.owner, s.course, s.created_ms, s.deleted_ms, s.id,
s.title, s.seal;

-- columns: message_sealed
tenant, session, seq, owner, id, role, status, created_ms, content, digest,
low_confidence, doc_refs, rag_source_ids, web_source_ids, image_s3key,
image_slide, image_page, refs, parent, late_from, model, failure,
tokens_in, tokens_out, scope, feedback, seal;

-- columns: text_sealed
a.tenant, a.session, a.seq, a.part, a.text, a.seal;

-- columns: vector_sealed
v.tenant, v.document, v.version, v.position, v.model, v.vector, v.seal;

-- columns: snapshot_sealed
s.tenant, s.owner, s.label, s.course, s.page, s.created_ms, s.slide,
s.media_type, s.object_key, s.seal;

-- columns: event_sealed
e.tenant, e.session, e.event, e.seq, e.answer, e.created_ms, e.kind,
e.low_confidence, e.id, e.numbers, e.coverage, e.query, e.seal;

-- columns: source_sealed
c.tenant, c.source, c.pool, c.digest, c.document, c.version, c.source_type,
c.source_key, c.source_id, c.preview, c.title, c.url, c.course_id, c.owner_id,
c.document_id, c.lecture_id, c.date, c.s3key, c.meta, c.slide_number,
c.start_seconds, c.end_seconds, c.part, c.locator, c.redacted, c.seal;

-- columns: verdict_sealed
v.tenant, v.session, v.seq, v.record, v.created_ms, v.judge, v.digest,
v.sentences, v.judged, v.carried, v.unsupported, v.seal;
