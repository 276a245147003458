import { stringify } from 'csv-stringify';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Db } from '../../db/db.ts';
import { listPersonsByIds } from '../persons/index.ts';

/** The first column names a person in a list that is uploaded again. */
const COLUMNS = ['uuid', 'name', 'email', 'distinct_id', 'created_at'];

/**
 * Writes persons as CSV, one line each with the first of its distinct ids, as their ids come in pieces. A text that a
 * spreadsheet would run as a formula gets a leading quote.
 */
export async function writePersonsCsv(db: Db, ids: AsyncIterable<number[]>, out: Writable): Promise<void> {
  const lines = stringify({ escape_formulas: true });
  await pipeline(Readable.from(recordsOf(db, ids)), lines, out);
}

async function* recordsOf(db: Db, ids: AsyncIterable<number[]>): AsyncGenerator<(string | null)[]> {
  yield COLUMNS;
  for await (const piece of ids) {
    for (const {
      uuid,
      name,
      properties,
      distinct_ids: distinctIds,
      created_at: at,
    } of await listPersonsByIds(db, piece)) {
      const email = properties['email'];
      yield [uuid, name, typeof email === 'string' ? email : null, distinctIds[0] ?? null, at];
    }
  }
}
