-- Feature flags. All columns that may ever be wanted are here: no column is added to a table with a sequence as default
-- (see 0007).
CREATE SEQUENCE feature_flags_id START 1;
-- Counts writes of flags, so that the server's memory reads only what is newer than what it knows.
CREATE SEQUENCE feature_flags_revision START 1;
CREATE TABLE feature_flags (
  id INTEGER PRIMARY KEY DEFAULT nextval('feature_flags_id'),
  revision BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  -- Unique among those of the project that are not deleted.
  key VARCHAR NOT NULL,
  -- What it is for, in words.
  name VARCHAR NOT NULL,
  active BOOLEAN NOT NULL,
  deleted BOOLEAN NOT NULL,
  -- JSON text: whom it is on for.
  filters VARCHAR NOT NULL,
  -- JSON text of a list: ids of the flags that its conditions name.
  depends_on VARCHAR NOT NULL,
  version INTEGER NOT NULL,
  ensure_experience_continuity BOOLEAN NOT NULL,
  -- JSON text of a list, or null.
  rollback_conditions VARCHAR NOT NULL,
  performed_rollback BOOLEAN NOT NULL,
  -- JSON text of lists.
  tags VARCHAR NOT NULL,
  evaluation_tags VARCHAR NOT NULL,
  usage_dashboard INTEGER,
  analytics_dashboards VARCHAR NOT NULL,
  is_remote_configuration BOOLEAN NOT NULL,
  has_encrypted_payloads BOOLEAN NOT NULL,
  has_enriched_analytics BOOLEAN NOT NULL,
  -- all, client or server
  evaluation_runtime VARCHAR NOT NULL,
  -- distinct_id or device_id; NULL: not said
  bucketing_identifier VARCHAR,
  creation_context VARCHAR NOT NULL,
  -- Since when it is active or not, and its filters are these.
  unchanged_since TIMESTAMP NOT NULL,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL,
  last_modified_by INTEGER
);
