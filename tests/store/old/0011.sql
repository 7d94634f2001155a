-- 0011.sql - running answers as the program kept them at schema 11: the newest
-- words beside the lease.  migrate_test.c brings them up.

INSERT INTO tenant (tenant, name, last_key, docs_version) VALUES
(1, 'default', 64, 0);

INSERT INTO account (tenant, account, name) VALUES
(1, 1, 'ann');

INSERT INTO session (tenant, session, owner, id, title, last_seq, version, created_ms, active_ms) VALUES
(1, 2, 1, 's1', 'What is heat?', 1, 1, 1794768042349, 1794768042358),
(1, 3, 1, 's2', 'What is cold?', 1, 1, 1794768042349, 1794768042358);

INSERT INTO message (tenant, session, seq, owner, id, role, status, created_ms) VALUES
(1, 2, 1, 1, 'a1', 2, 4, 1794768042351),
(1, 3, 1, 1, 'a2', 2, 4, 1794768042351);

INSERT INTO answer_lease (tenant, session, seq, epoch, node, until_ms, parts, text) VALUES
(1, 2, 1, 101, 'gone', 1, 18, x'206c6f6f6b20616c696b65'),
(1, 3, 1, 102, '', 9999999999999, 1, x'4e6f');

INSERT INTO answer_text (tenant, session, seq, part, text) VALUES
(1, 2, 1, 15, x'497420636f756e747320617272616e67656d656e74732074686174');
