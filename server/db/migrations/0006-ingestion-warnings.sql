-- What went wrong with events that were answered 200, counted by kind and sender.
CREATE TABLE ingestion_warnings (
  project_id INTEGER NOT NULL,
  type VARCHAR NOT NULL,
  -- The path of the requests.
  source VARCHAR NOT NULL,
  lib VARCHAR NOT NULL,
  lib_version VARCHAR NOT NULL,
  count BIGINT NOT NULL,
  first_seen TIMESTAMP NOT NULL,
  last_seen TIMESTAMP NOT NULL,
  -- JSON text of an object: the newest case.
  sample VARCHAR NOT NULL
);
