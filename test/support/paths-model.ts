/** Paths by brute force, in plain TypeScript over lists, by the words of the contract (9.9.2). Times are whole seconds. */

export interface ModelVisit {
  who: string;
  /** The address of a page, or an event of its own. */
  name: string;
  isPage: boolean;
  at: number;
}

export interface ModelPaths {
  startPoint?: string | undefined;
  endPoint?: string | undefined;
  excludeEvents?: readonly string[];
  /** Patterns that end with a star. */
  pathGroupings?: readonly string[];
  types?: readonly ('$pageview' | 'custom_event')[];
  stepLimit?: number;
  minEdgeWeight?: number | undefined;
  maxEdgeWeight?: number | undefined;
}

export interface ModelEdge {
  source: string;
  target: string;
  value: number;
  /** Milliseconds. */
  average_conversion_time: number;
}

interface Item {
  name: string;
  at: number;
}

/** The steps from item to item, in the order in which they are answered. */
export function edgesOf(visits: readonly ModelVisit[], paths: ModelPaths): ModelEdge[] {
  const found = new Map<string, number[]>();
  for (const path of pathsOf(visits, paths)) {
    for (const [at, item] of path.entries()) {
      const before = path[at - 1];
      if (before === undefined) continue;
      const key = JSON.stringify([`${at}_${before.name}`, `${at + 1}_${item.name}`]);
      found.set(key, [...(found.get(key) ?? []), (item.at - before.at) * 1_000]);
    }
  }
  const edges = [...found].map(([key, times]) => {
    const [source, target] = JSON.parse(key) as [string, string];
    const mean = times.reduce((sum, time) => sum + time, 0) / times.length;
    return { source, target, value: times.length, average_conversion_time: mean };
  });
  return connected(
    edges
      .filter(
        ({ value }) => value >= (paths.minEdgeWeight ?? 0) && value <= (paths.maxEdgeWeight ?? Infinity),
      )
      .sort((a, b) => b.value - a.value || compare(a.source, b.source) || compare(a.target, b.target))
      .slice(0, 50),
  );
}

/** Those that can be reached from a first item. */
function connected(edges: readonly ModelEdge[]): ModelEdge[] {
  const reached = new Set(edges.map(({ source }) => source).filter((source) => source.startsWith('1_')));
  for (const source of reached) {
    for (const edge of edges) if (edge.source === source) reached.add(edge.target);
  }
  return edges.filter(({ source }) => reached.has(source));
}

/** Every path with its items. */
export function pathsOf(visits: readonly ModelVisit[], paths: ModelPaths): Item[][] {
  const people = [...new Set(visits.map(({ who }) => who))];
  return people.flatMap((who) => {
    const items = visits
      .filter((visit) => visit.who === who && isIncluded(visit, paths))
      .map(({ name, at }) => ({ name: groupOf(name, paths), at }))
      .filter(({ name }) => !(paths.excludeEvents ?? []).includes(name))
      .sort((a, b) => a.at - b.at || compare(a.name, b.name));
    return split(items)
      .map((session) => session.filter((item, at) => item.name !== session[at + 1]?.name))
      .map((session) => cut(session, paths))
      .filter((path) => path.length > 0);
  });
}

function isIncluded({ isPage }: ModelVisit, { types }: ModelPaths): boolean {
  return types === undefined || types.length === 0 || types.includes(isPage ? '$pageview' : 'custom_event');
}

function groupOf(name: string, { pathGroupings }: ModelPaths): string {
  return (pathGroupings ?? []).find((pattern) => name.includes(pattern.slice(0, -1))) ?? name;
}

/** A pause of half an hour ends a session. */
function split(items: readonly Item[]): Item[][] {
  const sessions: Item[][] = [];
  for (const [at, item] of items.entries()) {
    const before = items[at - 1];
    if (before === undefined || item.at - before.at >= 1_800) sessions.push([]);
    sessions.at(-1)!.push(item);
  }
  return sessions;
}

function cut(session: Item[], { startPoint, endPoint, stepLimit = 5 }: ModelPaths): Item[] {
  const start = startPoint === undefined ? 0 : session.findIndex(({ name }) => name === startPoint);
  if (start < 0) return [];
  const rest = session.slice(start);
  if (endPoint === undefined) return rest.slice(0, stepLimit);
  const end = rest.findIndex(({ name }) => name === endPoint);
  if (end < 0) return [];
  const path = rest.slice(0, end + 1);
  if (path.length <= stepLimit) return path;
  if (startPoint === undefined) return path.slice(-stepLimit);
  const half = Math.floor(stepLimit / 2);
  return [...path.slice(0, half), { name: '...', at: path[half]!.at }, ...path.slice(-half)];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
