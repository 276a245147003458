-- Names that events have carried. Only the thread of the store writes these tables, in the commit of the event that first
-- carried a name, and between two commits for the people who describe them; it knows all names, so nothing is unique here
-- by an index.

CREATE TABLE event_definitions (
  id UUID NOT NULL,
  project_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL,
  -- When the first and the last event of this name came, the last to about a minute; null while none has.
  first_seen_at TIMESTAMP,
  last_seen_at TIMESTAMP,
  description VARCHAR NOT NULL DEFAULT '',
  -- JSON text of a list, as default_columns.
  tags VARCHAR NOT NULL DEFAULT '[]',
  owner_id INTEGER,
  verified BOOLEAN NOT NULL DEFAULT false,
  verified_at TIMESTAMP,
  hidden BOOLEAN NOT NULL DEFAULT false,
  post_to_slack BOOLEAN NOT NULL DEFAULT false,
  default_columns VARCHAR NOT NULL DEFAULT '[]',
  updated_at TIMESTAMP NOT NULL
);

CREATE TABLE property_definitions (
  id UUID NOT NULL,
  project_id INTEGER NOT NULL,
  -- event, person or group.
  type VARCHAR NOT NULL,
  -- Of a group's property; else null.
  group_type_index INTEGER,
  name VARCHAR NOT NULL,
  -- String, Numeric, Boolean or DateTime, which every value so far fits; null while no value has said.
  property_type VARCHAR,
  -- The type that a person has chosen instead.
  chosen_type VARCHAR,
  first_seen_at TIMESTAMP NOT NULL,
  last_seen_at TIMESTAMP NOT NULL,
  description VARCHAR NOT NULL DEFAULT '',
  tags VARCHAR NOT NULL DEFAULT '[]',
  verified BOOLEAN NOT NULL DEFAULT false,
  verified_at TIMESTAMP,
  hidden BOOLEAN NOT NULL DEFAULT false,
  updated_at TIMESTAMP NOT NULL
);

-- Which events have carried which properties, by their names.
CREATE TABLE event_properties (
  project_id INTEGER NOT NULL,
  event VARCHAR NOT NULL,
  property VARCHAR NOT NULL
);
