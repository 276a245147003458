import type { Param } from '../../db/db.ts';

/** Puts a value beside the statement; returns its place in the text. */
export type Bind = (value: Param) => string;
