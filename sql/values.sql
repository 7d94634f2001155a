-- values.sql - numbers that stand in columns and mean something.
--
-- A statement says {STATUS_STREAMING}.  C has its own enums for the same
-- numbers; src/store/values.c does not compile when they differ.

-- value: ROLE_USER 1
-- value: ROLE_ASSISTANT 2

-- value: STATUS_STREAMING 4

-- value: DOCUMENT_QUEUED 0
-- value: KIND_JOURNAL 3
