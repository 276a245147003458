-- Templates that people have stored; those that come with Burrow are part of the program.
CREATE TABLE dashboard_templates (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  template_name VARCHAR NOT NULL,
  dashboard_description VARCHAR NOT NULL,
  -- JSON of an object
  dashboard_filters VARCHAR NOT NULL,
  -- JSON of lists
  tags VARCHAR NOT NULL,
  tiles VARCHAR NOT NULL,
  variables VARCHAR,
  deleted BOOLEAN NOT NULL,
  created_at TIMESTAMP NOT NULL,
  created_by INTEGER,
  image_url VARCHAR,
  -- team: for its project; global and feature_flag: for every project
  scope VARCHAR NOT NULL
);
