-- Names for events that fit one of several steps. All columns that may ever be wanted are here: no column is added to a
-- table with a sequence as default (see 0007).
CREATE SEQUENCE actions_id START 1;
CREATE TABLE actions (
  id INTEGER PRIMARY KEY DEFAULT nextval('actions_id'),
  project_id INTEGER NOT NULL,
  -- Unique among those of the project that are not deleted.
  name VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  -- JSON text of a list, as steps.
  tags VARCHAR NOT NULL,
  steps VARCHAR NOT NULL,
  post_to_slack BOOLEAN NOT NULL,
  slack_message_format VARCHAR NOT NULL,
  pinned_at TIMESTAMP,
  -- When its steps were last set.
  last_calculated_at TIMESTAMP NOT NULL,
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL,
  deleted BOOLEAN NOT NULL
);
