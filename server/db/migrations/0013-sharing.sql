-- Who else may edit a restricted dashboard.
CREATE TABLE dashboard_collaborators (
  id UUID PRIMARY KEY,
  dashboard_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  -- 21 can view, 37 can edit.
  level INTEGER NOT NULL,
  added_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);

-- Links by which anybody can look at a dashboard or an insight.
CREATE TABLE sharing_configurations (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  -- One of them is set.
  dashboard_id INTEGER,
  insight_id INTEGER,
  enabled BOOLEAN NOT NULL,
  -- A credential: never logged. Shown to who may share, and looked up by its SHA-256 in hexadecimal.
  access_token VARCHAR NOT NULL,
  token_hash VARCHAR NOT NULL,
  -- Whether the link was ever on with this token: one that was is not used again after the link was off.
  token_used BOOLEAN NOT NULL,
  -- The SHA-256 of the token before, while that still works.
  previous_hash VARCHAR,
  previous_until TIMESTAMP,
  -- NULL: it has no end.
  expires_at TIMESTAMP,
  -- JSON text of an object.
  settings VARCHAR,
  created_at TIMESTAMP NOT NULL
);
