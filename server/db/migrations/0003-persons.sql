-- Persons, their distinct ids and groups. Each change is appended as a whole new row to a `_recent` table in the commit
-- of the event that caused it, because looking a row up to change it costs more than all else of a commit; settling
-- moves the latest rows into the `_settled` tables. Both are read through one view that shows the latest row of each.

CREATE TABLE persons_settled (
  project_id INTEGER NOT NULL,
  -- Unique in the file, never used again.
  id INTEGER NOT NULL,
  uuid UUID NOT NULL,
  created_at TIMESTAMP NOT NULL,
  -- JSON text of an object.
  properties VARCHAR NOT NULL,
  -- JSON text: what set each property, {"email": {"event": "$identify", "by": "$set", "at": "2026-11-20T09:30:00Z"}}.
  property_sources VARCHAR NOT NULL,
  is_identified BOOLEAN NOT NULL
);

CREATE TABLE persons_recent (
  -- Order of the changes: all rows of one commit have the same, greater than those of every row that is there.
  version BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  uuid UUID NOT NULL,
  created_at TIMESTAMP NOT NULL,
  properties VARCHAR NOT NULL,
  property_sources VARCHAR NOT NULL,
  is_identified BOOLEAN NOT NULL,
  is_deleted BOOLEAN NOT NULL
);

CREATE VIEW persons AS
SELECT project_id, id, uuid, created_at, properties, property_sources, is_identified
FROM persons_settled ANTI JOIN persons_recent USING (id)
UNION ALL
SELECT project_id, id, uuid, created_at, properties, property_sources, is_identified
FROM (
  SELECT id, arg_max(project_id, version) AS project_id, arg_max(uuid, version) AS uuid,
    arg_max(created_at, version) AS created_at, arg_max(properties, version) AS properties,
    arg_max(property_sources, version) AS property_sources, arg_max(is_identified, version) AS is_identified,
    arg_max(is_deleted, version) AS is_deleted
  FROM persons_recent GROUP BY id
)
WHERE NOT is_deleted;

CREATE TABLE person_distinct_ids_settled (
  project_id INTEGER NOT NULL,
  distinct_id VARCHAR NOT NULL,
  -- A row of persons, or, while only anonymous events came with this id, a placeholder that has none.
  person_id INTEGER NOT NULL,
  -- Order among the ids of one person, ascending; gaps and negative numbers occur.
  position INTEGER NOT NULL
);

CREATE TABLE person_distinct_ids_recent (
  version BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  distinct_id VARCHAR NOT NULL,
  person_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  is_deleted BOOLEAN NOT NULL
);

CREATE VIEW person_distinct_ids AS
SELECT project_id, distinct_id, person_id, position
FROM person_distinct_ids_settled ANTI JOIN person_distinct_ids_recent USING (project_id, distinct_id)
UNION ALL
SELECT project_id, distinct_id, person_id, position
FROM (
  SELECT project_id, distinct_id, arg_max(person_id, version) AS person_id, arg_max(position, version) AS position,
    arg_max(is_deleted, version) AS is_deleted
  FROM person_distinct_ids_recent GROUP BY project_id, distinct_id
)
WHERE NOT is_deleted;

-- Events of `old_person_id` belong to `person_id`: one row for each merge of a person, appended and never changed, with
-- further ones when the target is merged too. In quiet moments many of them are written into the events and removed.
CREATE TABLE person_merges (
  version BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  old_person_id INTEGER NOT NULL,
  person_id INTEGER NOT NULL
);

CREATE VIEW person_overrides AS
SELECT old_person_id, arg_max(person_id, version) AS person_id FROM person_merges GROUP BY old_person_id;

-- What merges there were: rows go only with the person they tell of.
CREATE TABLE person_merge_history (
  project_id INTEGER NOT NULL,
  -- Who took the other in; perhaps merged into another since.
  person_id INTEGER NOT NULL,
  old_person_id INTEGER NOT NULL,
  old_uuid UUID NOT NULL,
  -- The absorbed id that the event named.
  distinct_id VARCHAR NOT NULL,
  -- $identify, $create_alias or $merge_dangerously.
  event VARCHAR NOT NULL,
  -- The event's time.
  merged_at TIMESTAMP NOT NULL
);

CREATE TABLE group_types (
  project_id INTEGER NOT NULL,
  -- 0 to 4, in order of first sight.
  group_type_index INTEGER NOT NULL,
  group_type VARCHAR NOT NULL,
  name_singular VARCHAR,
  name_plural VARCHAR,
  created_at TIMESTAMP NOT NULL
);

CREATE TABLE groups_settled (
  project_id INTEGER NOT NULL,
  group_type_index INTEGER NOT NULL,
  group_key VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL,
  -- JSON text of an object.
  properties VARCHAR NOT NULL
);

CREATE TABLE groups_recent (
  version BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  group_type_index INTEGER NOT NULL,
  group_key VARCHAR NOT NULL,
  created_at TIMESTAMP NOT NULL,
  properties VARCHAR NOT NULL,
  is_deleted BOOLEAN NOT NULL
);

CREATE VIEW groups AS
SELECT project_id, group_type_index, group_key, created_at, properties
FROM groups_settled ANTI JOIN groups_recent USING (project_id, group_type_index, group_key)
UNION ALL
SELECT project_id, group_type_index, group_key, created_at, properties
FROM (
  SELECT project_id, group_type_index, group_key, arg_max(created_at, version) AS created_at,
    arg_max(properties, version) AS properties, arg_max(is_deleted, version) AS is_deleted
  FROM groups_recent GROUP BY project_id, group_type_index, group_key
)
WHERE NOT is_deleted;

-- One row: the highest person id given out before rows that told of ids were last removed; none is given out again.
CREATE TABLE persons_state (last_person_id INTEGER NOT NULL);
INSERT INTO persons_state VALUES (0);
