-- 0006 snapshots: page pictures that came with questions.
--
-- A picture belongs to who brought it.  `label` is what clients know it by;
-- it names one picture for ever, so a second picture of a page gets another
-- label.  Its bytes are an object.  docs/schema.md explains each table.

CREATE TABLE snapshot (
    tenant     integer NOT NULL,
    owner      integer NOT NULL,
    label      text    NOT NULL, -- snapshots/{slide}/page-{n}.png
    course     integer NOT NULL,
    slide      text    NOT NULL,
    page       bigint  NOT NULL,
    media_type text    NOT NULL,
    object_key text    NOT NULL,
    created_ms bigint  NOT NULL,
    PRIMARY KEY (tenant, owner, label),
    FOREIGN KEY (tenant, owner) REFERENCES account (tenant, account),
    FOREIGN KEY (tenant, course) REFERENCES course (tenant, course)
);
CREATE INDEX snapshot_by_page ON snapshot (slide, page, owner, tenant);
CREATE INDEX snapshot_by_course ON snapshot (course, tenant);
CREATE INDEX snapshot_by_object ON snapshot (object_key, tenant);
-- Which messages still name a picture.
CREATE INDEX message_by_image ON message (image_s3key, owner, tenant)
    WHERE image_s3key IS NOT NULL;
