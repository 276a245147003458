-- Whom a person is counted as by flags that keep their answer over sign-in ("ensure experience continuity"), by the key of
-- the flag. No key: rows of a deleted person are erased from the file.
CREATE TABLE flag_hash_keys (
  project_id INTEGER NOT NULL,
  -- Number of the person, or placeholder, as of storing; merges are followed like those of events.
  person_id INTEGER NOT NULL,
  flag_key VARCHAR NOT NULL,
  -- The anonymous distinct id with which the flag was first asked for.
  hash_key VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL
);
