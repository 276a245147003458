-- Groups of persons: by a rule, or as a fixed list. All columns that may ever be wanted are here: no column is added to
-- a table with a sequence as default (see 0007).
CREATE SEQUENCE cohorts_id START 1;
CREATE TABLE cohorts (
  id INTEGER PRIMARY KEY DEFAULT nextval('cohorts_id'),
  project_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  description VARCHAR NOT NULL,
  -- JSON of a list: the old form of a rule, as it was sent; [] when there is none.
  legacy_groups VARCHAR NOT NULL,
  -- JSON of an object with the tree of conditions as `properties`; of a cohort with old groups, their translation. NULL
  -- for a fixed list.
  filters VARCHAR,
  -- JSON of a query node that says the rule.
  query VARCHAR,
  is_static BOOLEAN NOT NULL,
  -- As it was sent; NULL: told by what the rule holds.
  cohort_type VARCHAR,
  -- Goes up with each change of the rule.
  version INTEGER NOT NULL,
  -- When the rule or the list was last set, and what was wrong with the list, in a sentence that names nobody.
  last_calculation TIMESTAMP NOT NULL,
  last_error_message VARCHAR,
  -- NULL: the server itself.
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  updated_at TIMESTAMP NOT NULL,
  deleted BOOLEAN NOT NULL
);

-- Who is in a fixed list. A person may stand there twice, once by its own number and once by that of a person that was
-- merged into it: merges since then stand in person_overrides, as for events. It has no key, so that erased persons
-- leave the file.
CREATE TABLE cohort_people (
  project_id INTEGER NOT NULL,
  cohort_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL
);
