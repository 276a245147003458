import { z } from 'zod';
import type { Statements } from '../../db/db.ts';
import { DatabaseError } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { validate } from '../../http/validation.ts';
import type { CompiledFilter } from './compile-filter.ts';
import { propertyFilters, type PropertyGroup } from './property-filters.contract.ts';

const SCHEMAS = {
  event: z.object({ properties: propertyFilters('event') }),
  person: z.object({ properties: propertyFilters('person') }),
  group: z.object({ properties: propertyFilters('group') }),
};

/**
 * Reads the query parameter `properties`: JSON text, given once or several times; all of them must hold. A filter
 * without a type is of `defaultType`. Throws invalid_input.
 */
export function readFilters(texts: readonly string[], defaultType: keyof typeof SCHEMAS): PropertyGroup {
  const groups = texts
    .filter((text) => text !== '')
    .map((text) => validate(SCHEMAS[defaultType], { properties: parse(text) }).properties);
  return groups.length === 1 ? groups[0]! : { type: 'AND', values: groups };
}

/**
 * Asks the database whether it can read the regular expressions of a filter, before they are part of a long statement.
 * Throws invalid_input for `properties`.
 */
export async function checkPatterns(db: Statements, { patterns }: CompiledFilter): Promise<void> {
  for (const pattern of new Set(patterns)) {
    try {
      await db.first(`SELECT regexp_matches('', $pattern)`, { pattern });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const detail =
        'This regular expression cannot be read: it follows the syntax of RE2, without look-around.';
      throw fail('invalid_input', { attr: 'properties', detail });
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail('invalid_input', { detail: 'The parameter properties is not JSON.' });
  }
}
