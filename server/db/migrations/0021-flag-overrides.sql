-- Answers that are forced on this machine, whatever a flag's definition says; kept in memory by the server. No key: rows of
-- deleted persons are erased from the file.
CREATE TABLE flag_overrides (
  id UUID NOT NULL,
  project_id INTEGER NOT NULL,
  -- A key, not an id: a flag that is deleted and made again by a script is still overridden.
  flag_key VARCHAR NOT NULL,
  -- NULL: everyone who has none of their own
  distinct_id VARCHAR,
  -- JSON text: true, false or the key of a variant
  value VARCHAR NOT NULL,
  -- JSON text; NULL: what the flag itself gives with this value
  payload VARCHAR,
  -- NULL: until it is ended
  expires_at TIMESTAMP,
  created_by INTEGER NOT NULL,
  created_at TIMESTAMP NOT NULL
);
