import type { Readings } from './read-hogql.ts';

/** The messages between the server (`hogql-parser.ts`) and the thread that parses (`parse-thread.ts`); one at a time. */
export interface ToParser {
  kind: keyof Readings;
  text: string;
}

export type FromParser =
  | { outcome: 'tree'; tree: Readings[keyof Readings] }
  | { outcome: 'refused'; message: string; start: number | null; end: number | null }
  /** The grammar's parser failed, and may have hurt itself. */
  | { outcome: 'broken' };
