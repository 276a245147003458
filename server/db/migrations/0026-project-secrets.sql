-- Secret keys of projects (phs_…), with which servers read flag definitions and remote configuration, and nothing else. A
-- project has at most two: the one in use, and the one before it until it is removed. The keys themselves are nowhere.
CREATE TABLE project_secrets (
  project_id INTEGER NOT NULL,
  -- SHA-256 of the key, hexadecimal
  hash VARCHAR NOT NULL,
  -- What is shown of it
  mask VARCHAR NOT NULL,
  -- Whether another has taken its place; it still works
  is_backup BOOLEAN NOT NULL,
  created_at TIMESTAMP NOT NULL
);
