-- Dashboards, and what stands on them. All columns that may ever be wanted are here: no column is added to a table with
-- a sequence as default (see 0007).
CREATE SEQUENCE dashboards_id START 1;
CREATE TABLE dashboards (
  id INTEGER PRIMARY KEY DEFAULT nextval('dashboards_id'),
  project_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  pinned BOOLEAN NOT NULL,
  -- JSON text of an object, as variables.
  filters VARCHAR NOT NULL,
  variables VARCHAR NOT NULL,
  -- JSON text of a list.
  tags VARCHAR NOT NULL,
  -- 21 everyone in the project can edit, 37 only collaborators can.
  restriction_level INTEGER NOT NULL,
  -- default, template, duplicate or unlisted
  creation_mode VARCHAR NOT NULL,
  -- The template and the dashboard that it was made from; '' and NULL: none.
  use_template VARCHAR NOT NULL,
  use_dashboard INTEGER,
  -- NULL: the server itself.
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL,
  deleted BOOLEAN NOT NULL
);

CREATE SEQUENCE dashboard_texts_id START 1;
CREATE TABLE dashboard_texts (
  id INTEGER PRIMARY KEY DEFAULT nextval('dashboard_texts_id'),
  project_id INTEGER NOT NULL,
  body VARCHAR NOT NULL,
  created_by INTEGER,
  last_modified_by INTEGER,
  last_modified_at TIMESTAMP NOT NULL
);

-- A dashboard has at most one tile, deleted or not, for the same insight or text.
CREATE SEQUENCE dashboard_tiles_id START 1;
CREATE TABLE dashboard_tiles (
  id INTEGER PRIMARY KEY DEFAULT nextval('dashboard_tiles_id'),
  dashboard_id INTEGER NOT NULL,
  -- One of them is set.
  insight_id INTEGER,
  text_id INTEGER,
  -- JSON text of an object.
  layouts VARCHAR NOT NULL,
  color VARCHAR,
  deleted BOOLEAN NOT NULL,
  -- NULL, as in the next two: never said.
  show_description BOOLEAN,
  -- JSON text of an object.
  filters_overrides VARCHAR,
  transparent_background BOOLEAN,
  created_at TIMESTAMP NOT NULL
);
