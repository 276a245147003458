-- Features that users may opt into before all have them. Who did is a property of the person.
CREATE TABLE early_access_features (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  -- draft, concept, alpha, beta, general-availability or archived
  stage VARCHAR NOT NULL,
  documentation_url VARCHAR NOT NULL,
  -- JSON text: what pages are told beside it.
  payload VARCHAR NOT NULL,
  -- The flag that is on for those who opted in.
  feature_flag_id INTEGER NOT NULL,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);
