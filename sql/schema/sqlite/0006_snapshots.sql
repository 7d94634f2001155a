-- 0006 snapshots: page pictures that came with questions.
--
-- A picture belongs to who brought it.  `label` is what clients know it by;
-- it names one picture for ever, so a second picture of a page gets another
-- label.  Its bytes are an object.  docs/schema.md explains each table.

CREATE TABLE snapshot (
    tenant     INTEGER NOT NULL,
    owner      INTEGER NOT NULL,
    label      TEXT    NOT NULL, -- snapshots/{slide}/page-{n}.png
    course     INTEGER NOT NULL,
    slide      TEXT    NOT NULL,
    page       INTEGER NOT NULL,
    media_type TEXT    NOT NULL,
    object_key TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant, owner, label),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
) STRICT, WITHOUT ROWID;
CREATE INDEX snapshot_by_page ON snapshot (slide, page, owner, tenant);
CREATE INDEX snapshot_by_course ON snapshot (course, tenant);
CREATE INDEX snapshot_by_object ON snapshot (object_key, tenant);
-- Which messages still name a picture.
CREATE INDEX message_by_image ON message (image_s3key, owner, tenant)
    WHERE image_s3key IS NOT NULL;
