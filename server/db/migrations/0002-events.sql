-- Events, in the layout of time order. `events_recent` takes the commits as they arrive; compaction moves its rows in
-- time order into `events` and fills the typed columns there. Both are read through the view `all_events`.
CREATE TABLE events (
  project_id INTEGER NOT NULL,
  timestamp TIMESTAMP NOT NULL,
  uuid UUID NOT NULL,
  event VARCHAR NOT NULL,
  distinct_id VARCHAR NOT NULL,
  -- The person, or the placeholder of a distinct id without one, at the time of storing; merges since then stand in
  -- person_overrides.
  person_id INTEGER NOT NULL,
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
  "$geoip_city_name" VARCHAR,
  "$group_0" VARCHAR,
  "$group_1" VARCHAR,
  "$group_2" VARCHAR,
  "$group_3" VARCHAR,
  "$group_4" VARCHAR
);

CREATE TABLE events_recent (
  -- Order of arrival, from 1, never reused.
  seq BIGINT NOT NULL,
  project_id INTEGER NOT NULL,
  timestamp TIMESTAMP NOT NULL,
  uuid UUID NOT NULL,
  event VARCHAR NOT NULL,
  distinct_id VARCHAR NOT NULL,
  -- The person, or the placeholder of a distinct id without one, at the time of storing; merges since then stand in
  -- person_overrides.
  person_id INTEGER NOT NULL,
  properties VARCHAR NOT NULL,
  elements_chain VARCHAR,
  received_at TIMESTAMP NOT NULL,
  historical BOOLEAN NOT NULL,
  -- The uuid was sent by a client and may stand in `events` already: compaction decides, and until then
  -- `all_events` looks.
  suspect BOOLEAN NOT NULL
);

-- One row: the highest seq that compaction has taken, so that seq goes on when events_recent is empty.
CREATE TABLE events_state (last_seq BIGINT NOT NULL);
INSERT INTO events_state VALUES (0);

-- Suspects that are stored already, in `events` or by an earlier recent row.
CREATE VIEW late_retries AS
SELECT r.seq FROM events_recent r SEMI JOIN events e USING (project_id, uuid) WHERE r.suspect
UNION
SELECT r.seq FROM events_recent r JOIN events_recent o
  ON o.project_id = r.project_id AND o.uuid = r.uuid AND o.seq < r.seq
WHERE r.suspect;

-- The recent rows with the columns of `events`; a suspect whose uuid stands there already does not count.
CREATE VIEW recent_events AS
SELECT project_id, timestamp, uuid, event, distinct_id, person_id, properties, elements_chain, received_at, historical,
  json_extract_string(properties, '$."$current_url"') AS "$current_url",
  json_extract_string(properties, '$."$pathname"') AS "$pathname",
  json_extract_string(properties, '$."$host"') AS "$host",
  json_extract_string(properties, '$."$referrer"') AS "$referrer",
  json_extract_string(properties, '$."$referring_domain"') AS "$referring_domain",
  json_extract_string(properties, '$."$browser"') AS "$browser",
  json_extract_string(properties, '$."$os"') AS "$os",
  json_extract_string(properties, '$."$device_type"') AS "$device_type",
  json_extract_string(properties, '$."$lib"') AS "$lib",
  json_extract_string(properties, '$."$lib_version"') AS "$lib_version",
  json_extract_string(properties, '$."$session_id"') AS "$session_id",
  json_extract_string(properties, '$."$window_id"') AS "$window_id",
  json_extract_string(properties, '$."$screen_name"') AS "$screen_name",
  json_extract_string(properties, '$."$geoip_country_code"') AS "$geoip_country_code",
  json_extract_string(properties, '$."$geoip_city_name"') AS "$geoip_city_name",
  json_extract_string(properties, '$."$group_0"') AS "$group_0",
  json_extract_string(properties, '$."$group_1"') AS "$group_1",
  json_extract_string(properties, '$."$group_2"') AS "$group_2",
  json_extract_string(properties, '$."$group_3"') AS "$group_3",
  json_extract_string(properties, '$."$group_4"') AS "$group_4"
FROM (
  SELECT * FROM events_recent WHERE NOT suspect
  UNION ALL
  -- Apart from the rest, so that other rows are looked at only when there are suspects, and for them alone.
  SELECT * FROM events_recent ANTI JOIN late_retries USING (seq) WHERE suspect
);

CREATE VIEW all_events AS
SELECT * FROM events
UNION ALL
SELECT * FROM recent_events;
