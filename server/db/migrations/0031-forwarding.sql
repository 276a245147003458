-- Where the new events of a project are sent as well. A row is there while forwarding is on.
CREATE TABLE forwarding (
  project_id INTEGER NOT NULL,
  -- Scheme, host and port, such as https://eu.i.posthog.com
  host VARCHAR NOT NULL,
  -- The project API key (phc_…) of the project there.
  api_key VARCHAR NOT NULL,
  -- by_hand, refused, backup; NULL: not paused
  paused VARCHAR,
  -- Why the last request failed, in plain words; NULL: it did not.
  problem VARCHAR,
  -- The seq of the last event that was sent or left out.
  position BIGINT NOT NULL,
  -- Events, since it was turned on.
  sent BIGINT NOT NULL,
  -- Events that the host does not take because of their size.
  left_out BIGINT NOT NULL,
  last_sent_at TIMESTAMP,
  created_at TIMESTAMP NOT NULL
);

-- Which events of `events` are still to be sent: compaction, which takes their seq from them, writes it here.
CREATE TABLE forwarding_waiting (
  project_id INTEGER NOT NULL,
  seq BIGINT NOT NULL,
  uuid UUID NOT NULL,
  timestamp TIMESTAMP NOT NULL,
  received_at TIMESTAMP NOT NULL
);
