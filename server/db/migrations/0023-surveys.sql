-- Questions that pages show to their users. Answers are events.
CREATE TABLE surveys (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  -- Unique in the project.
  name VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  -- popover, widget, api or external_survey
  type VARCHAR NOT NULL,
  -- once, recurring or always; NULL: not said.
  schedule VARCHAR,
  -- JSON text, as all that has a shape of its own; NULL: none.
  questions VARCHAR NOT NULL,
  appearance VARCHAR,
  conditions VARCHAR,
  translations VARCHAR,
  -- From here on pages show it, until the end; NULL: not started, no end.
  start_date TIMESTAMP,
  end_date TIMESTAMP,
  archived BOOLEAN NOT NULL,
  responses_limit INTEGER,
  enable_partial_responses BOOLEAN,
  -- A survey may come again, so often and after so many days.
  iteration_count INTEGER,
  iteration_frequency_days INTEGER,
  -- Flags that must be on for a user: one of the project's own, and two that are the survey's and go with it.
  linked_flag_id INTEGER,
  targeting_flag_id INTEGER,
  internal_targeting_flag_id INTEGER,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL
);
