-- Copies of a project to or from a host with PostHog's API, and how far they are. Keys are never stored.
CREATE TABLE copies (
  id UUID NOT NULL,
  project_id INTEGER NOT NULL,
  -- to_host or from_host
  direction VARCHAR NOT NULL,
  -- Scheme, host and port.
  host VARCHAR NOT NULL,
  -- Id of the project there.
  host_project VARCHAR NOT NULL,
  is_dry_run BOOLEAN NOT NULL,
  -- running, checked, done, failed, canceled or interrupted
  state VARCHAR NOT NULL,
  -- JSON text of what is done, and of the IDs that definitions have on the other side.
  progress VARCHAR NOT NULL,
  -- Why it failed.
  problem VARCHAR,
  -- Of the file with the events that come from a host.
  import_id UUID,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  finished_at TIMESTAMP
);
