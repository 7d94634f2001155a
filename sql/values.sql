-- values.sql - numbers that stand in columns and mean something.
--
-- A statement says {STATUS_STREAMING}.  C has its own enums for the same
-- numbers; src/store/values.c does not compile when they differ.

-- value: ROLE_USER 1
-- value: ROLE_ASSISTANT 2

-- value: STATUS_STREAMING 4

-- What message.shown says: a message is off the path that is shown, on it, or
-- was on it when its branch was left, and will be when one steps back there.
-- value: SHOWN_OFF 0
-- value: SHOWN_ON 1
-- value: SHOWN_LEFT 2

-- value: DOCUMENT_QUEUED 0
-- value: KIND_JOURNAL 3

-- What a row counts for, beside its texts (store/usage.h).
-- value: USAGE_MESSAGE 256
-- value: USAGE_EVENT 1024
-- value: USAGE_SESSION 512
-- value: USAGE_SOURCE 512
-- value: USAGE_COURSE 4096
-- value: USAGE_VERSION 4096
