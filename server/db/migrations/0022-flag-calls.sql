-- When an SDK last told that it had asked for a flag ($feature_flag_called), at most once a second for each flag.
CREATE TABLE flag_calls (
  flag_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  last_called_at TIMESTAMP NOT NULL
);
