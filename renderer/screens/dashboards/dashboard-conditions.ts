import type { PropertyFilter } from '../../ui/property-filter.ts';

type Group = { type: string; values: readonly unknown[] };

/** The conditions of a dashboard: those that can be edited one by one, and groups, which are kept as they are. */
export interface Conditions {
  single: readonly PropertyFilter[];
  groups: readonly unknown[];
}

/** Reads the conditions of a dashboard: a list, or PostHog's groups, `{type: 'AND', values: [...]}`. */
export function conditionsOf(properties: unknown): Conditions {
  if (Array.isArray(properties)) return { single: properties as PropertyFilter[], groups: [] };
  if (!isGroup(properties)) return { single: [], groups: [] };
  if (properties.type !== 'AND')
    return { single: [], groups: properties.values.length > 0 ? [properties] : [] };
  const parts = properties.values.map((value): Conditions => {
    if (!isGroup(value)) return { single: [value as PropertyFilter], groups: [] };
    // What all has to hold anyway can be taken one by one.
    const isPlain = value.type === 'AND' && !value.values.some(isGroup);
    return isPlain
      ? { single: value.values as PropertyFilter[], groups: [] }
      : { single: [], groups: [value] };
  });
  return {
    single: parts.flatMap(({ single }) => single),
    groups: parts.flatMap(({ groups }) => groups),
  };
}

/** The same for the server: all of them have to hold. */
export function propertiesOf({ single, groups }: Conditions): unknown {
  if (groups.length === 0) return single;
  if (groups.length === 1 && single.length === 0) return groups[0];
  const last = single.length > 0 ? [{ type: 'AND', values: single }] : [];
  return { type: 'AND', values: [...groups, ...last] };
}

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Group>).values);
}
