-- Organization, people, projects and keys of this machine.
CREATE TABLE organizations (
  id UUID PRIMARY KEY,
  name VARCHAR NOT NULL,
  slug VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);

CREATE SEQUENCE users_id START 1;
CREATE TABLE users (
  id INTEGER PRIMARY KEY DEFAULT nextval('users_id'),
  uuid UUID NOT NULL UNIQUE,
  distinct_id VARCHAR NOT NULL,
  email VARCHAR NOT NULL UNIQUE,
  first_name VARCHAR NOT NULL DEFAULT '',
  last_name VARCHAR NOT NULL DEFAULT '',
  current_project_id INTEGER,
  is_active BOOLEAN NOT NULL DEFAULT true,
  created_at TIMESTAMP NOT NULL
);

CREATE TABLE organization_members (
  id UUID PRIMARY KEY,
  organization_id UUID NOT NULL,
  user_id INTEGER NOT NULL,
  -- 1 member, 8 admin, 15 owner
  level INTEGER NOT NULL,
  joined_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);

CREATE SEQUENCE projects_id START 1;
CREATE TABLE projects (
  id INTEGER PRIMARY KEY DEFAULT nextval('projects_id'),
  uuid UUID NOT NULL UNIQUE,
  organization_id UUID NOT NULL,
  name VARCHAR NOT NULL,
  -- The project token is public by design (it stands in web pages), so it is kept as it is.
  api_token VARCHAR NOT NULL UNIQUE,
  timezone VARCHAR NOT NULL DEFAULT 'UTC',
  ingested_event BOOLEAN NOT NULL DEFAULT false,
  settings VARCHAR NOT NULL DEFAULT '{}',
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);

CREATE TABLE personal_api_keys (
  id VARCHAR PRIMARY KEY,
  user_id INTEGER NOT NULL,
  label VARCHAR NOT NULL,
  -- SHA-256 of the key in hexadecimal; the key itself is shown once and never kept.
  hash VARCHAR NOT NULL UNIQUE,
  mask VARCHAR NOT NULL,
  scopes VARCHAR NOT NULL,
  scoped_projects VARCHAR NOT NULL DEFAULT '[]',
  scoped_organizations VARCHAR NOT NULL DEFAULT '[]',
  created_at TIMESTAMP NOT NULL,
  last_used_at TIMESTAMP
);
