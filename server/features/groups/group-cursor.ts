import { z } from 'zod';
import { fail } from '../../errors.ts';

/** The last group of a page: the next one begins behind it in the order of (created_at, group_key), newest first. */
export interface GroupCursor {
  /** ISO 8601, UTC, microseconds. */
  createdAt: string;
  key: string;
}

const cursor = z.tuple([z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/), z.string()]);

/** Opaque to clients, which send back the text of `next`. */
export function writeCursor({ createdAt, key }: GroupCursor): string {
  return Buffer.from(JSON.stringify([createdAt, key])).toString('base64url');
}

/** Throws invalid_input for what `writeCursor` did not write. */
export function readCursor(text: string): GroupCursor {
  const parsed = cursor.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8')));
  if (!parsed.success || !isInstant(parsed.data[0])) {
    throw fail('invalid_input', { attr: 'cursor', detail: 'This cursor is not from a `next` link.' });
  }
  const [createdAt, key] = parsed.data;
  return { createdAt, key };
}

/** Date.parse takes the 30th of February for the 2nd of March; the database refuses it. */
function isInstant(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 23) === text.slice(0, 23);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
