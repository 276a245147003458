-- Who changed what, and from what to what.
CREATE TABLE activity_log (
  id UUID PRIMARY KEY,
  organization_id UUID NOT NULL,
  -- NULL: a change of the organization or of a person of it
  project_id INTEGER,
  -- NULL: the server itself
  user_id INTEGER,
  activity VARCHAR NOT NULL,
  scope VARCHAR NOT NULL,
  item_id VARCHAR NOT NULL,
  -- JSON: name, short_id, changes
  detail VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL
);
