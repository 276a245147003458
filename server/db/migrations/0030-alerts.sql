-- Conditions on insights, checked on a schedule.
CREATE TABLE alerts (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  insight_id INTEGER NOT NULL,
  name VARCHAR NOT NULL,
  -- JSON texts, as all that has a shape of its own; NULL: none.
  subscribed_users VARCHAR NOT NULL,
  threshold VARCHAR,
  condition VARCHAR NOT NULL,
  config VARCHAR NOT NULL,
  schedule_restriction VARCHAR,
  -- real_time, every_15_minutes, hourly, daily, weekly or monthly
  calculation_interval VARCHAR NOT NULL,
  enabled BOOLEAN NOT NULL,
  skip_weekend BOOLEAN NOT NULL,
  snoozed_until TIMESTAMP,
  -- Firing, Not firing, Errored or Snoozed
  state VARCHAR NOT NULL,
  -- Where a firing check is sent, besides this machine; NULL: nowhere.
  webhook_url VARCHAR,
  -- Whose access its checks have.
  created_by INTEGER,
  created_at TIMESTAMP NOT NULL,
  last_checked_at TIMESTAMP,
  last_notified_at TIMESTAMP,
  -- NULL: as soon as possible.
  next_check_at TIMESTAMP,
  -- Of the last check; NULL: none yet, or not one number.
  last_value DOUBLE
);
-- What checks have found, for 14 days.
CREATE TABLE alert_checks (
  id UUID PRIMARY KEY,
  project_id INTEGER NOT NULL,
  alert_id UUID NOT NULL,
  created_at TIMESTAMP NOT NULL,
  calculated_value DOUBLE,
  state VARCHAR NOT NULL,
  notification_sent_at TIMESTAMP,
  -- JSON texts: which interval was looked at, what was outside of the bounds, why it failed, what became of the webhook.
  details VARCHAR NOT NULL
);
