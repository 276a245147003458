-- What is set for the whole server at run time; values are JSON text.
CREATE TABLE server_settings (
  name VARCHAR PRIMARY KEY,
  value VARCHAR NOT NULL,
  updated_at TIMESTAMP NOT NULL
);
