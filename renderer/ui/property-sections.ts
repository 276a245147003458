import { textOf } from './event-labels.ts';
import { isNameProperty } from './person-labels.ts';

/** Names of properties as they are read: what the product set, then what SDKs set. */
export interface PropertySections {
  own: string[];
  sdk: string[];
}

/**
 * Sorts the names of a person's or group's properties, and leaves out those that a search does not find in name or value.
 * Own ones: names and addresses first, the rest by name. Of SDKs: by name, the initial ones last.
 */
export function sectionsOf(properties: Record<string, unknown>, query: string): PropertySections {
  const wanted = query.trim().toLowerCase();
  const keys = Object.keys(properties)
    .filter((key) => `${key}\n${textOf(properties[key])}`.toLowerCase().includes(wanted))
    .toSorted((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b));
  return { own: keys.filter((key) => !isOfSdk(key)), sdk: keys.filter(isOfSdk) };
}

function isOfSdk(key: string): boolean {
  return key.startsWith('$') && !isNameProperty(key);
}

function rankOf(key: string): number {
  if (isNameProperty(key)) return 0;
  return key.startsWith('$initial_') ? 2 : 1;
}

/** What set a property last (management contract: property_sources). */
export interface PropertySource {
  event: string | null;
  by: string;
  at: string;
}

/** How a property came to its value: `Set by` an event, or by hand. */
export function sourceLabel({ by, event }: PropertySource): { how: string; event: string | null } {
  if (event === null || event === '') return { how: 'Set in the console or through the API', event: null };
  return { how: by === '$set_once' ? 'Set once by' : 'Set by', event };
}
