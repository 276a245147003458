/** What filters of a flag, or the tree of a cohort, name: ids (or keys) of flags, ids of cohorts, indexes of types of groups. */
export interface Named {
  readonly flags: ReadonlySet<string>;
  readonly cohorts: ReadonlySet<number>;
  readonly groupTypes: ReadonlySet<number>;
}

/** Looks at every object inside, however deep the limits of bodies let it be. */
export function namedIn(filters: unknown): Named {
  const named = { flags: new Set<string>(), cohorts: new Set<number>(), groupTypes: new Set<number>() };
  const open: unknown[] = [filters];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) note(value as Record<string, unknown>, named);
    open.push(...(Object.values(value) as unknown[]));
  }
  return named;
}

function note(
  item: Record<string, unknown>,
  named: { flags: Set<string>; cohorts: Set<number>; groupTypes: Set<number> },
): void {
  const { type, key, value } = item;
  if (type === 'flag' && (typeof key === 'string' || typeof key === 'number')) named.flags.add(String(key));
  if (type === 'cohort') named.cohorts.add(Number(value));
  for (const index of [item['aggregation_group_type_index'], item['group_type_index']])
    if (typeof index === 'number') named.groupTypes.add(index);
}
