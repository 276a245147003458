-- How much of a project is kept, and what must leave the file. (No column is added to a table with a sequence as default:
-- DuckDB 1.5.5 cannot replay that from its write-ahead log after a crash.)

-- Limits of a project; null: none.
CREATE TABLE project_retention (
  project_id INTEGER PRIMARY KEY,
  max_days INTEGER,
  -- 1 GB is 1,000,000,000 bytes.
  max_gb DOUBLE,
  updated_at TIMESTAMP NOT NULL
);

-- Rows were deleted whose bytes must leave the file too; empty when nothing is to be done.
CREATE TABLE erasures (
  requested_at TIMESTAMP NOT NULL,
  -- The last rewriting began after this request and covers it.
  in_pass BOOLEAN NOT NULL DEFAULT false
);
