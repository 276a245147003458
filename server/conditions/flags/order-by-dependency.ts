/** Names in an order in which each comes after those that it needs, and those that have no such place. */
export interface DependencyOrder<Name> {
  readonly order: readonly Name[];
  /** Those that need themselves, by way of others. */
  readonly circular: ReadonlySet<Name>;
  /** Those that need one of these. */
  readonly behind: ReadonlySet<Name>;
}

/**
 * Orders names by what each needs; needs that are no names themselves are ignored. Kahn's way: no recursion, so that a
 * chain may have any length.
 */
export function orderByDependency<Name>(needs: ReadonlyMap<Name, readonly Name[]>): DependencyOrder<Name> {
  const order = unwind([...needs.keys()], needs);
  const ordered = new Set(order);
  const left = [...needs.keys()].filter((name) => !ordered.has(name));
  // Among those left, in the other direction: what no flag in a circle needs only depends on one.
  const neededBy = new Map<Name, Name[]>(left.map((name) => [name, []]));
  for (const name of left) for (const need of needs.get(name)!) neededBy.get(need)?.push(name);
  const behind = new Set(unwind(left, neededBy));
  return { order, circular: new Set(left.filter((name) => !behind.has(name))), behind };
}

/** Takes away, again and again, the names that need none of those left. */
function unwind<Name>(names: readonly Name[], needs: ReadonlyMap<Name, readonly Name[]>): Name[] {
  const open = new Map<Name, number>(names.map((name) => [name, 0]));
  const users = new Map<Name, Name[]>();
  for (const name of names) {
    for (const need of new Set(needs.get(name))) {
      if (!open.has(need)) continue;
      open.set(name, open.get(name)! + 1);
      const list = users.get(need);
      if (list === undefined) users.set(need, [name]);
      else list.push(name);
    }
  }
  const free = names.filter((name) => open.get(name) === 0);
  for (let at = 0; at < free.length; at++) {
    for (const user of users.get(free[at]!) ?? []) {
      const count = open.get(user)! - 1;
      open.set(user, count);
      if (count === 0) free.push(user);
    }
  }
  return free;
}
