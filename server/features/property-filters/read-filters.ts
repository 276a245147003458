import { z } from 'zod';
import type { Statements } from '../../db/db.ts';
import { DatabaseError } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { safeParseExactly } from '../../http/exact-values.ts';
import { validate } from '../../http/validation.ts';
import { parseExactly } from '../../lib/exact-number.contract.ts';
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
 * Reads filters in the names of parameters: `properties_plan="free"` with the prefix `properties_` means that the
 * event's plan is free; the value is JSON. Throws invalid_input for the parameter.
 */
export function readPropertyValues(search: URLSearchParams, prefix: string): PropertyGroup {
  const schema = SCHEMAS.event;
  const values = [...search].flatMap(([name, text]) => {
    if (!name.startsWith(prefix) || text === '') return [];
    const value = parse(text, name);
    const leaf = safeParseExactly(schema, { properties: [{ key: name.slice(prefix.length), value }] });
    if (!leaf.success) {
      throw fail('invalid_input', {
        attr: name,
        detail: 'Expected a string, a number, a boolean or a list of these.',
      });
    }
    return [leaf.data.properties];
  });
  return { type: 'AND', values };
}

/**
 * Checks that the database can read regular expressions, before they are part of a long statement.
 * Throws invalid_input for `attr`.
 */
export async function checkPatterns(
  db: Statements,
  patterns: readonly string[],
  attr = 'properties',
): Promise<void> {
  for (const pattern of new Set(patterns)) {
    try {
      await db.first(`SELECT regexp_matches('', $pattern)`, { pattern });
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const detail = 'Invalid regular expression: RE2 syntax is required, without lookarounds.';
      throw fail('invalid_input', { attr, detail });
    }
  }
}

/** `attr`: the parameter to name, where the contract names one. */
function parse(text: string, attr?: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    const detail = `The parameter ${attr ?? 'properties'} is not valid JSON.`;
    throw fail('invalid_input', { detail, ...(attr === undefined ? {} : { attr }) });
  }
}
