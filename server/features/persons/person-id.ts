import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { findPersonId } from './persons.reads.ts';

const uuid = z.guid();

/**
 * The id of the person that a path or query names, by its id or UUID. Throws invalid_input for what is neither
 * (management contract 9.3), and not_found.
 */
export async function getPersonId(db: Db, projectId: number, text: string): Promise<number> {
  const id = await findPersonId(db, projectId, keyOf(text));
  if (id === null) throw fail('not_found');
  return id;
}

function keyOf(text: string): { id: number } | { uuid: string } {
  if (/^\d{1,15}$/.test(text)) return { id: Number(text) };
  if (uuid.safeParse(text).success) return { uuid: text };
  throw fail('invalid_input', { detail: 'The id of a person must be a whole number or a UUID.' });
}
