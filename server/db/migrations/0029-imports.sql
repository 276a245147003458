-- Files whose rows become events, and how far they are. The files themselves lie in the data folder.
CREATE TABLE imports (
  id UUID NOT NULL,
  project_id INTEGER NOT NULL,
  -- As its owner has called the file.
  name VARCHAR NOT NULL,
  bytes BIGINT NOT NULL,
  -- uploaded, checking, checked, running, done, failed or canceled
  state VARCHAR NOT NULL,
  -- JSON text of how rows become events; null: not chosen yet
  settings VARCHAR,
  -- Rows whose events are stored: the rest is read again after the process was ended.
  stored_rows BIGINT NOT NULL,
  -- From 0 to 1.
  progress DOUBLE NOT NULL,
  -- JSON text of what became of the rows so far.
  report VARCHAR,
  -- JSON text of a list of rows that the store did not take.
  not_stored VARCHAR NOT NULL,
  -- Why it failed.
  problem VARCHAR,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  started_at TIMESTAMP,
  finished_at TIMESTAMP
);

-- Settings with a name, to be used for another file.
CREATE SEQUENCE import_mappings_id START 1;
CREATE TABLE import_mappings (
  id INTEGER PRIMARY KEY DEFAULT nextval('import_mappings_id'),
  project_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  -- JSON text.
  settings VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL
);
