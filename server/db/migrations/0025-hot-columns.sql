-- Event properties that questions ask for have a column of `events` too, which comes and goes while the store runs.
CREATE TABLE hot_columns (
  -- p_1, p_2…: a name that no client has written.
  column_name VARCHAR NOT NULL,
  -- The property's.
  name VARCHAR NOT NULL,
  -- String: what json_extract_string reads. Float64: the number that this text is by the grammar of JSON.
  type VARCHAR NOT NULL,
  -- Every row of `events` has its value; until then nobody reads the column.
  is_filled BOOLEAN NOT NULL,
  -- How often it was asked for; older times count less.
  asked DOUBLE NOT NULL
);

-- The same view with its columns by name, so that a column more or less of `events` does not change it.
CREATE OR REPLACE VIEW all_events AS
SELECT
  project_id, timestamp, uuid, event, distinct_id, person_id, properties, elements_chain, received_at, historical,
  "$current_url", "$pathname", "$host", "$referrer", "$referring_domain", "$browser", "$os", "$device_type", "$lib",
  "$lib_version", "$session_id", "$window_id", "$screen_name", "$geoip_country_code", "$geoip_city_name", "$group_0",
  "$group_1", "$group_2", "$group_3", "$group_4"
FROM events
UNION ALL
SELECT
  project_id, timestamp, uuid, event, distinct_id, person_id, properties, elements_chain, received_at, historical,
  "$current_url", "$pathname", "$host", "$referrer", "$referring_domain", "$browser", "$os", "$device_type", "$lib",
  "$lib_version", "$session_id", "$window_id", "$screen_name", "$geoip_country_code", "$geoip_city_name", "$group_0",
  "$group_1", "$group_2", "$group_3", "$group_4"
FROM recent_events;
