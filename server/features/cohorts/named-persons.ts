import type { UpdateCohortBody } from './cohorts.contract.ts';
import { readCsvIds } from './csv-ids.ts';

/** Of entries that name no person so many are quoted, each so long. */
const QUOTED = 10;
const QUOTED_LENGTH = 100;

/** Persons that a body names, each once; null: it names none, and a list stays as it is. */
export function namesIn({ csv, _create_static_person_ids: ids }: UpdateCohortBody): string[] | null {
  if (csv === undefined && ids === undefined) return null;
  return [...new Set([...(csv === undefined ? [] : readCsvIds(csv)), ...(ids ?? [])])];
}

/** How many of the entries name no person, and the first of them where they are given; null: all name one. */
export function unknownInWords(unknown: number, entries: number, quoted: readonly string[]): string | null {
  if (unknown === 0) return null;
  const words = `${unknown} of ${entries} entries do not match a person`;
  if (quoted.length === 0) return `${words}.`;
  const first = quoted.slice(0, QUOTED).map((name) => name.slice(0, QUOTED_LENGTH));
  return `${words}: ${first.join(', ')}${unknown > first.length ? ', …' : ''}`;
}
