-- Notes on the time axis of charts. All columns that may ever be wanted are here: no column is added to a table with a
-- sequence as default (see 0007).
CREATE SEQUENCE annotations_id START 1;
CREATE TABLE annotations (
  id INTEGER PRIMARY KEY DEFAULT nextval('annotations_id'),
  organization_id UUID NOT NULL,
  project_id INTEGER NOT NULL,
  content VARCHAR,
  -- The moment that it is about.
  date_marker TIMESTAMP,
  -- dashboard_item, dashboard, project, organization or recording: where it is shown
  scope VARCHAR NOT NULL,
  -- USR: by a person, GIT: by a script
  creation_type VARCHAR NOT NULL,
  -- The insight and the dashboard that it is about.
  insight_id INTEGER,
  dashboard_id INTEGER,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL,
  deleted BOOLEAN NOT NULL
);
