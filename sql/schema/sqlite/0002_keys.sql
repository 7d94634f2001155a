-- 0002 keys: API keys, which programs and browsers sign in with.
--
-- Of a key only digests are kept: `digest` of the whole key, `cookie_digest`
-- of the proof that a browser's cookie carries, which is made from the key and
-- does not lead back to it.  Whoever reads this table can sign in with nothing
-- in it.  The prefix is the public part of a key; a request brings no tenant,
-- so it is the whole primary key.  A revoked key keeps its row for the list.

CREATE TABLE api_key (
    prefix        TEXT    NOT NULL PRIMARY KEY,
    digest        BLOB    NOT NULL CHECK (length(digest) = 32),
    cookie_digest BLOB    NOT NULL CHECK (length(cookie_digest) = 32),
    tenant_name   TEXT    NOT NULL,
    user_name     TEXT    NOT NULL,
    admin         INTEGER NOT NULL CHECK (admin IN (0, 1)),
    created_ms    INTEGER NOT NULL,
    revoked_ms    INTEGER
) STRICT, WITHOUT ROWID;
