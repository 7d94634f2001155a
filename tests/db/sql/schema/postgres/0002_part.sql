-- 0002 part: something that belongs to a thing.

CREATE TABLE part (
    thing_id  bigint NOT NULL REFERENCES thing (id) ON DELETE CASCADE,
    number    smallint NOT NULL,
    small     smallint NOT NULL,
    flag      boolean,
    PRIMARY KEY (thing_id, number)
);

CREATE INDEX part_small ON part (small);

-- COMMIT with a part of a certain size does not just succeed: 666 kills the
-- server's process in the middle, 667 raises a warning.
CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.small = 666 THEN
        PERFORM pg_terminate_backend(pg_backend_pid());
    ELSIF NEW.small = 667 THEN
        RAISE WARNING 'not replicated';
    END IF;
    RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER part_die AFTER INSERT ON part
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION die();
