-- Events, in the layout of time order. `events_recent` takes the commits as they arrive; compaction moves its rows in
-- time order into `events` and fills the typed columns there. Both are read through the view `all_events`.
CREATE TABLE events (
  project_id INTEGER NOT NULL,
  timestamp TIMESTAMP NOT NULL,
  uuid UUID NOT NULL,
  event VARCHAR NOT NULL,
  distinct_id VARCHAR NOT NULL,
  properties VARCHAR NOT NULL,
  elements_chain VARCHAR,
  received_at TIMESTAMP NOT NULL,
  historical BOOLEAN NOT NULL,
  -- Typed columns of common reserved properties: json_extract_string of the property, nothing else, so that the
  -- column and the JSON text always read the same.
  "$current_url" VARCHAR,
  "$pathname" VARCHAR,
  "$host" VARCHAR,
  "$referrer" VARCHAR,
  "$referring_domain" VARCHAR,
  "$browser" VARCHAR,
  "$os" VARCHAR,
  "$device_type" VARCHAR,
  "$lib" VARCHAR,
  "$lib_version" VARCHAR,
  "$session_id" VARCHAR,
  "$window_id" VARCHAR,
  "$screen_name" VARCHAR,
  "$geoip_country_code" VARCHAR,
  "$geoip_city_name" VARCHAR
);

CREATE TABLE events_recent (
  -- Order of arrival, from 1, never reused.
  seq BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  timestamp TIMESTAMP NOT NULL,
  uuid UUID NOT NULL,
  event VARCHAR NOT NULL,
  distinct_id VARCHAR NOT NULL,
  properties VARCHAR NOT NULL,
  elements_chain VARCHAR,
  received_at TIMESTAMP NOT NULL,
  historical BOOLEAN NOT NULL,
  -- The uuid was sent by a client and may stand in `events` already: compaction decides, and until then
  -- `all_events` looks.
  suspect BOOLEAN NOT NULL
);

-- One row: the highest seq ever given out by a compacted event, so that seq survives an empty events_recent.
CREATE TABLE events_state (last_seq BIGINT NOT NULL);
INSERT INTO events_state VALUES (0);

CREATE VIEW all_events AS
SELECT project_id, timestamp, uuid, event, distinct_id, properties, elements_chain, received_at, historical,
  "$current_url", "$pathname", "$host", "$referrer", "$referring_domain", "$browser", "$os", "$device_type", "$lib",
  "$lib_version", "$session_id", "$window_id", "$screen_name", "$geoip_country_code", "$geoip_city_name"
FROM events
UNION ALL
SELECT project_id, timestamp, uuid, event, distinct_id, properties, elements_chain, received_at, historical,
  json_extract_string(properties, '$."$current_url"'),
  json_extract_string(properties, '$."$pathname"'),
  json_extract_string(properties, '$."$host"'),
  json_extract_string(properties, '$."$referrer"'),
  json_extract_string(properties, '$."$referring_domain"'),
  json_extract_string(properties, '$."$browser"'),
  json_extract_string(properties, '$."$os"'),
  json_extract_string(properties, '$."$device_type"'),
  json_extract_string(properties, '$."$lib"'),
  json_extract_string(properties, '$."$lib_version"'),
  json_extract_string(properties, '$."$session_id"'),
  json_extract_string(properties, '$."$window_id"'),
  json_extract_string(properties, '$."$screen_name"'),
  json_extract_string(properties, '$."$geoip_country_code"'),
  json_extract_string(properties, '$."$geoip_city_name"')
FROM events_recent r
WHERE NOT r.suspect
  OR NOT EXISTS (
    SELECT 1 FROM events e SEMI JOIN (SELECT project_id, uuid FROM events_recent WHERE suspect) s USING (project_id, uuid)
    WHERE e.project_id = r.project_id AND e.uuid = r.uuid
  );
