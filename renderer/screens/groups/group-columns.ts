import type { Group } from '../../api/groups.api.ts';
import type { TableColumn } from '../../ui/data-table.ts';
import { frequentProperties, propertyColumns } from '../../ui/property-columns.ts';

const MOST_COLUMNS = 4;

/** The columns of a page of groups: the properties that most of them have. */
export function groupColumns(groups: readonly Group[], noun: string): TableColumn[] {
  const rows = groups.map((group) => group.group_properties);
  const keys = frequentProperties(rows, (key) => key === 'name').slice(0, MOST_COLUMNS);
  return [
    { id: 'group', label: noun.charAt(0).toUpperCase() + noun.slice(1) },
    ...propertyColumns(keys, rows),
    { id: 'first_seen', label: 'First seen', width: '112px' },
  ];
}
