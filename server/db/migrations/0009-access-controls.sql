-- Who may do what with which object: rules of a project, all of them kept in memory by the server.
CREATE TABLE access_controls (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  resource VARCHAR NOT NULL,
  -- NULL: every object of the resource
  resource_id VARCHAR,
  -- of organization_members; neither member nor role: everybody
  member_id UUID,
  role_id UUID,
  access_level VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);

-- Which tool keeps the rules of an object, as it says itself.
CREATE TABLE access_control_management (
  project_id INTEGER NOT NULL,
  resource VARCHAR NOT NULL,
  resource_id VARCHAR,
  member_id UUID,
  role_id UUID,
  managed_by VARCHAR NOT NULL,
  managed_at TIMESTAMP NOT NULL
);
