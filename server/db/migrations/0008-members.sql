-- What else is known of people. A table of its own: no column is added to a table with a sequence as default (see 0007).
CREATE TABLE user_profiles (
  user_id INTEGER PRIMARY KEY,
  -- null: nobody has looked.
  is_email_verified BOOLEAN,
  -- engineering, data, product, founder, leadership, marketing, sales or other
  role_at_organization VARCHAR,
  -- JSON text of an object.
  hedgehog_config VARCHAR,
  -- light, dark or system
  theme_mode VARCHAR,
  -- JSON text of an object.
  notification_settings VARCHAR NOT NULL DEFAULT '{}',
  -- The last sign-in to the console.
  last_login TIMESTAMP
);
INSERT INTO user_profiles (user_id, is_email_verified) SELECT id, true FROM users;

-- Projects that were deleted, until everything in them is.
CREATE TABLE project_removals (
  project_id INTEGER NOT NULL,
  requested_at TIMESTAMP NOT NULL
);
