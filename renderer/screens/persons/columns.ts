import type { NameCount, PersonJson as Person } from '../../../server/features/persons/persons.contract.ts';
import type { TableColumn } from '../../ui/data-table.ts';
import { isNameProperty } from '../../ui/person-labels.ts';
import { propertyColumns } from '../../ui/property-columns.ts';

/** The number of property columns by default. */
const DEFAULT_COUNT = 3;
const FALLBACKS = ['$geoip_country_name', '$initial_referring_domain', '$os'];

/** Properties to begin with: the most frequent of the project's own, then the most telling of the SDKs'. */
export function defaultProperties(known: readonly NameCount[]): string[] {
  const own = known
    .filter(({ name }) => !name.startsWith('$') && !isNameProperty(name))
    .toSorted((a, b) => b.count - a.count)
    .map(({ name }) => name);
  const names = new Set(known.map(({ name }) => name));
  return [...own, ...FALLBACKS.filter((name) => names.has(name))].slice(0, DEFAULT_COUNT);
}

/** The columns of the list, with these properties. */
export function columnsOf(keys: readonly string[], persons: readonly Person[]): TableColumn[] {
  return [
    { id: 'person', label: 'Person' },
    ...propertyColumns(
      keys,
      persons.map((person) => person.properties),
    ),
    { id: 'ids', label: 'IDs', width: '64px', align: 'right', from: 'wide' },
    { id: 'first_seen', label: 'First seen', width: '112px' },
  ];
}
