-- 0010.sql - sessions as the program kept them at schema 10: references in
-- rows of their own.  migrate_test.c brings them up.  For both engines: blobs
-- are x'...', which PostgreSQL is given in its own words.

INSERT INTO tenant (tenant, name, last_key, docs_version) VALUES
(1, 'default', 64, 0);

INSERT INTO account (tenant, account, name) VALUES
(1, 1, 'ann'),
(1, 11, 'ben');

INSERT INTO session (tenant, session, owner, id, title, last_seq, version, created_ms, active_ms) VALUES
(1, 2, 1, 's1', 'What is heat?', 8, 14, 1794768042349, 1794768042358),
(1, 12, 11, 's2', 'What is on the page?', 2, 3, 1794768042358, 1794768042361);

INSERT INTO message (tenant, session, seq, owner, id, role, status, created_ms, content, digest, saved_digest, replaced_by, late_from) VALUES
(1, 2, 1, 1, 'q1', 1, 0, 1794768042349, 'What is heat?', x'44b4e4ffc5ac616cb4dc48d432a6eababfbd0b6d31ba52dd609cc78b95ad2c51', x'28bd0fae0b4a634045c453d5f7da17aafc0ccfa3ad9096037ffc58f4e5cc94f9', NULL, NULL),
(1, 2, 2, 1, 'a1', 2, 0, 1794768042351, 'It counts arrangements that look alike [1], and flows [2][1].', x'e9aa688b01fd9238680bb3ccdfaa4d22111b30132477fd720aaea126fdb0db62', x'abc53908be112931fcbcdc6fcf55a542587253a1b8432edf9f80e6c0d6f4ef0a', NULL, NULL),
(1, 2, 3, 1, 'q2', 1, 0, 1794768042352, 'And disorder?', x'087d0ef008e30bf7d41b4a7e53e1b5396b56b4d6508dade71584c130547d76c1', x'761304480878d498845a2764608e9dfd2579943aaed96b1d6b03d6ea58b965b9', NULL, NULL),
(1, 2, 4, 1, 'a2', 2, 0, 1794768042352, 'Disorder grows [7]. 🔥 So disorder grows [1], and again [7,1].', x'5168f31bc3334b1cd86d2f6922af391d94af28a2c183a471ea0e6e1f8d02baf5', x'535f731d6889a795fcfc23d36b41eb41e602d77e886add110d9a41320bb68fc3', NULL, NULL),
(1, 2, 5, 1, 'a3', 2, 0, 1794768042352, 'Two [130].', x'30300f61de011ef2d0d5043c129ae42d885e4ee5b92b23381d503b669536c97b', x'2d1b40cb2c1e8abd777c88967e1c675bad0aa132c4a2b694b1c036df8bf84581', NULL, NULL),
(1, 2, 6, 1, 'q3', 1, 0, 1794768042353, 'why?', x'be52235d758e2c910f8f277a2736a8f5dd1e9ee0418004df2758a755bbe80ed1', x'd5e66225b8f835b786776e877aaf0ab86362fecfe7011288ebfe28ad1fa5e370', NULL, NULL),
(1, 2, 7, 1, 'a4', 2, 0, 1794768042353, 'Because [2]. And [3].', x'9493b895f226a7fc09ae9d152fa53a5fc6a441aec37ba499c4a6efb0032f8f07', x'9493b895f226a7fc09ae9d152fa53a5fc6a441aec37ba499c4a6efb0032f8f07', 8, 3),
(1, 2, 8, 1, 'a5', 2, 1, 1794768042356, 'No sources.', x'cd8e089b0723649b1c8bff863605d999de2c6a89e0a3ce20f49c850295138265', x'cd8e089b0723649b1c8bff863605d999de2c6a89e0a3ce20f49c850295138265', NULL, NULL),
(1, 12, 1, 11, 'q1', 1, 0, 1794768042358, 'What is on the page?', x'8c0170fb2a597ea7cb2b20d929e4a027b682167f998234901ea4d445ca3ecbf5', x'2b7a0ef987dcfba9bb9e3096908df3865ea7801692a9e705cba92a18674f7112', NULL, NULL),
(1, 12, 2, 11, 'a1', 2, 0, 1794768042361, 'A page [^Page].', x'77468a0fd7dff019797144051323563999c4aaa3bdd53b14c09ce42ae7d05d4c', x'ba8c195bc1ded9b7efe645732c6b4e983031ca5a482ac45babad23574b4e1fcc', NULL, NULL);

INSERT INTO course_sources (tenant, source, pool, digest, version, source_type, source_key, source_id, preview, title, url, course_id, owner_id, document_id, lecture_id, date, s3key, meta, slide_number, start_seconds, end_seconds, part, redacted) VALUES
(1, 3, 1, x'a38b8a40100dd2b6dad2ca666ae8b0017725555a399cf10cc1be3b0fe614ffe7', 0, 2, 'doc_heat_slide_14', NULL, 'Entropy counts arrangements.', NULL, NULL, NULL, NULL, 'heat', NULL, NULL, NULL, NULL, 14, NULL, NULL, NULL, 0),
(1, 4, 1, x'34bd8261e6607f0340de55333b7cd654927cca02a8caa58c0568bfc99096320f', 0, 5, 'web_6637e99f7e2c9f09bb39a2c9a4e2f8bd8342395c7e4e0370f29027d8db9ef8ea', NULL, 'Heat flows.', NULL, 'https://example.org/heat', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0),
(1, 5, 1, x'138c8ecb990ce53237c2f62b5617dc3146e2b14f9ecd8876fb99847feaa3c350', 0, 3, 'lec_lecture-1_0_12', 'e1', 'so disorder 🔥 grows', 'Recording: 4', 'https://example.org/?a=1&b=2#t', 'course-1', 'owner-1', 'document-1', 'lecture-1', '2024-02-29', 'snapshots/a b/1.png', '{ "b":1.0,
 "a":[null,"\u00e9"] }', 0, 1e-07, 12.345, 3, 0),
(1, 6, 1, x'0a69a0bc08d736112b31fe71c5a974aa9856399a2b5140bd08072798b716e103', 0, 2, 'doc_heat_slide_15', NULL, 'Disorder grows.', NULL, NULL, NULL, NULL, 'heat', NULL, NULL, NULL, NULL, 15, NULL, NULL, NULL, 0),
(1, 7, 1, x'ce11cdb8e1c6174df6b7b1e2811f0b70c1c28877f7f25615552fb617c0d254bf', 0, 5, 'web_d9f1b7161df729fa767e2b693e829965cf422a9fdffd14807b12267fce66d9ef', NULL, 'Cold flows not.', NULL, 'https://example.org/cold', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0),
(1, 8, 1, x'b6de0a0b43e67cba1e07e683fabff240ae36c3f8b3973974f49a84d2fd56771f', 0, 2, 'doc_heat_slide_1', NULL, 'one', NULL, NULL, NULL, NULL, 'heat', NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL, 0),
(1, 9, 1, x'3bff154b12d36a0497015902d33c5026209c41f94ebc96c7512ffd29e9488e8f', 0, 2, 'doc_heat_slide_2', NULL, 'two', NULL, NULL, NULL, NULL, 'heat', NULL, NULL, NULL, NULL, 2, NULL, NULL, NULL, 0),
(1, 10, 1, x'd476b927e09fb7fe73dfecbbda99fdc8cf5ba688203ff70018206bfd6d7303be', 0, 2, 'doc_heat_slide_3', NULL, 'three', NULL, NULL, NULL, NULL, 'heat', NULL, NULL, NULL, NULL, 3, NULL, NULL, NULL, 0),
(1, 13, 11, x'f43430c5af5d14c7a3ba5e1d559b64114fd9525b860ea93b2b035fe3df0cb6c1', 0, 6, 'img_snapshots/heat/page-3.png', NULL, 'A page.', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'snapshots/heat/page-3.png', NULL, NULL, NULL, NULL, NULL, 0);

INSERT INTO message_source_refs (tenant, session, seq, number, source, support, spans, score) VALUES
(1, 2, 1, 1, 3, 327, x'27030f03', NULL),
(1, 2, 1, 2, 4, 132, x'3603', NULL),
(1, 2, 4, 1, 5, 635, x'29030c05', -0.1),
(1, 2, 4, 7, 6, 1000, x'0f032605', 0.30000000000000004),
(1, 2, 4, 9, 7, NULL, NULL, NULL),
(1, 2, 5, 1, 8, NULL, NULL, 1e-07),
(1, 2, 5, 130, 9, 1000, x'0405', 1.7976931348623157e+308),
(1, 2, 5, 999999999, 10, NULL, NULL, 2.2250738585072014e-308),
(1, 2, 7, 1, 5, NULL, NULL, -0.1),
(1, 2, 7, 2, 6, 0, x'0803', 0.30000000000000004),
(1, 2, 7, 3, 3, 0, x'1103', NULL),
(1, 12, 2, 1, 13, 1000, x'0707', NULL);

INSERT INTO retrieval_event (tenant, session, event, id, seq, answer, kind, query, low_confidence, numbers, created_ms) VALUES
(1, 2, 1, '01a1e082-f96e-75b4-b260-7cbacdc8f220', 1, NULL, 1, 'heat', NULL, '[1,2]', 1794768042350),
(1, 2, 2, '01a1e082-f971-77e2-be3d-a9133656307b', 6, 7, 1, 'why', 0, '[1,2]', 1794768042353),
(1, 2, 3, '01a1e082-f972-74a3-9e20-269b8859dad1', 6, 7, 1, 'why', 0, '[3]', 1794768042354);
