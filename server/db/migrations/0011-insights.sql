-- Stored questions. What they answer is not stored here.
CREATE SEQUENCE insights_id START 1;
CREATE TABLE insights (
  id INTEGER PRIMARY KEY DEFAULT nextval('insights_id'),
  project_id INTEGER NOT NULL,
  -- Eight random characters, for addresses.
  short_id VARCHAR NOT NULL,
  name VARCHAR,
  -- A name that a client made from the query, shown where there is no other.
  derived_name VARCHAR,
  description VARCHAR NOT NULL,
  -- JSON of an object: the old form of a question, as it was sent; {} when there is none.
  filters VARCHAR NOT NULL,
  -- JSON of the node to compute; of an insight with old filters, their translation.
  query VARCHAR,
  -- `order` on the wire
  position INTEGER,
  -- JSON of a list of texts
  tags VARCHAR NOT NULL,
  favorited BOOLEAN NOT NULL,
  saved BOOLEAN NOT NULL,
  -- Made from a template, and not changed since.
  is_sample BOOLEAN NOT NULL,
  deleted BOOLEAN NOT NULL,
  -- NULL: made from a template
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL,
  last_modified_by INTEGER,
  last_modified_at TIMESTAMP NOT NULL
);

-- When somebody last looked at an insight: one row for each of both.
CREATE TABLE insight_views (
  project_id INTEGER NOT NULL,
  insight_id INTEGER NOT NULL,
  user_id INTEGER NOT NULL,
  viewed_at TIMESTAMP NOT NULL
);
