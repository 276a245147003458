-- Values that SQL insights leave open, by the name that stands in their text.
CREATE TABLE insight_variables (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  -- Made from the first name; unique in the project.
  code_name VARCHAR NOT NULL,
  -- String, Number, Boolean, List or Date
  type VARCHAR NOT NULL,
  -- JSON text, as the list of values to choose from; NULL: none.
  default_value VARCHAR,
  value_list VARCHAR,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);
