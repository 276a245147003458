-- The time that retention trusts, and one that the clock has jumped to and that has to hold first; Unix ms. One row.
CREATE TABLE retention_clock (trusted DOUBLE NOT NULL, jumped_to DOUBLE);
