-- What a warehouse beside this file has of it. No row: there is none.
CREATE TABLE warehouse_stream (
  -- Random. The warehouse has it too, with the numbers below, so that a file that was restored is recognized.
  stream_id VARCHAR NOT NULL,
  -- Rows of events_recent up to this seq are there; compaction does not go further.
  events_seq BIGINT NOT NULL,
  -- Rows of persons_recent and person_distinct_ids_recent up to this version, and of groups_recent. Settling does not go
  -- further, and later versions are greater.
  persons_version BIGINT NOT NULL,
  groups_version BIGINT NOT NULL,
  -- Deletions up to this number are carried out there.
  deletion BIGINT NOT NULL,
  -- The file was used without the warehouse since, which has to receive everything again.
  lapsed BOOLEAN NOT NULL
);

-- What was stored before the stream began, and is still to be copied.
CREATE TABLE warehouse_copies (
  -- person_distinct_ids, persons, groups or events.
  kind VARCHAR NOT NULL,
  -- Of events: the project and the day in UTC; else NULL.
  of_project INTEGER,
  day DATE,
  rows BIGINT NOT NULL
);

-- What the warehouse is to delete. `of_project` is not named project_id, since it outlives the rows of the project.
CREATE SEQUENCE warehouse_deletions_number START 1;
CREATE TABLE warehouse_deletions (
  number BIGINT NOT NULL DEFAULT nextval('warehouse_deletions_number'),
  of_project INTEGER NOT NULL,
  -- JSON list of the distinct IDs whose events are deleted; NULL: everything of the project.
  distinct_ids VARCHAR,
  -- Only rows up to these numbers: others have arrived since.
  events_seq BIGINT NOT NULL,
  persons_version BIGINT NOT NULL,
  groups_version BIGINT NOT NULL
);
