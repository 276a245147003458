/** How many went from one place to another; a name begins with its step: `1_/home`. */
export interface FlowEdge {
  source: string;
  target: string;
  value: number;
}

/** A place at a step, as a bar; all measures in percent of the box. */
export interface FlowNode {
  id: string;
  name: string;
  /** From 0. */
  step: number;
  value: number;
  left: number;
  top: number;
  height: number;
}

/** A ribbon from bar to bar, as a path in a box of 100 by 100. */
export interface FlowRibbon {
  source: string;
  target: string;
  value: number;
  path: string;
}

export interface FlowLayout {
  nodes: FlowNode[];
  ribbons: FlowRibbon[];
  steps: number;
}

/** Percent: between bars, and the width of a bar. */
const GAP = 4;
export const BAR = 1;

/** What a place is called without its step. */
export function placeName(id: string): string {
  return id.replace(/^\d+_/, '');
}

/**
 * Short names of places: an address without its host and with its middle folded (`/docs/…/import`). Places that would have
 * the same short name have their whole paths, and then their addresses.
 */
export function shortPlaces(names: readonly string[]): Map<string, string> {
  const unique = [...new Set(names)];
  const ways = [foldedPath, pathOfUrl, (name: string) => name];
  return new Map(
    unique.map((name) => {
      const way = ways.find((short) => unique.every((one) => one === name || short(one) !== short(name)));
      return [name, (way ?? ways[2]!)(name)];
    }),
  );
}

const URL_PARTS = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)(.*)$/i;

/** The path of an address, with what follows it. */
function pathOfUrl(name: string): string {
  const [, path, rest] = URL_PARTS.exec(name) ?? [];
  return path === undefined ? name : `${path || '/'}${rest ?? ''}`;
}

function foldedPath(name: string): string {
  const whole = pathOfUrl(name);
  if (!whole.startsWith('/')) return name;
  const parts = whole
    .replace(/[?#].*$/, '')
    .split('/')
    .filter(Boolean);
  return parts.length > 2 ? `/${parts[0]}/…/${parts.at(-1)}` : `/${parts.join('/')}`;
}

/** Where those go who do not go on. */
const DROPPED = '$$dropped';

/**
 * The ways out of paths: of each place those who came to it and went nowhere else, up to the last step, whose next one is
 * not shown.
 */
export function dropOffs(edges: readonly FlowEdge[]): FlowEdge[] {
  const last = edges.reduce((most, { target }) => Math.max(most, stepOf(target)), 0);
  const left = new Map<string, number>();
  for (const { target, value } of edges) left.set(target, (left.get(target) ?? 0) + value);
  for (const { source, value } of edges) if (left.has(source)) left.set(source, left.get(source)! - value);
  return [...left]
    .filter(([id, value]) => value > 0 && stepOf(id) < last)
    .map(([id, value]) => ({ source: id, target: `${stepOf(id) + 1}_${DROPPED}`, value }));
}

function stepOf(id: string): number {
  return Math.max(1, Number.parseInt(id, 10) || 1);
}

/** Things in the order in which they came, by what they have in common. */
export function groupBy<Thing>(
  things: readonly Thing[],
  keyOf: (thing: Thing) => number,
): Map<number, Thing[]> {
  const groups = new Map<number, Thing[]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const group = groups.get(key);
    if (group) group.push(thing);
    else groups.set(key, [thing]);
  }
  return groups;
}

/** Places column by column and what flows between them, the most used first; of each step at most so many are drawn. */
export function flowLayout(edges: readonly FlowEdge[], most: number): FlowLayout {
  const kept = keptEdges(edges, most);
  const values = nodeValues(kept);
  const first = Math.min(...[...values.keys()].map(stepOf));
  const columns = groupBy(
    // Those who dropped off are last.
    [...values].toSorted((a, b) => Number(isDropped(a[0])) - Number(isDropped(b[0])) || b[1] - a[1]),
    ([id]) => stepOf(id) - first,
  );
  const steps = Math.max(1, ...[...columns.keys()].map((step) => step + 1));
  const scale = Math.min(...[...columns.values()].map((column) => perPercent(column)));
  const nodes = [...columns].flatMap(([step, column]) => {
    let top = 0;
    return column.map(([id, value]): FlowNode => {
      const height = value * scale;
      const node = { id, name: placeName(id), step, value, left: leftOf(step, steps), top, height };
      top += height + GAP;
      return node;
    });
  });
  return { nodes, ribbons: ribbonsOf(kept, nodes, scale), steps };
}

function leftOf(step: number, steps: number): number {
  return steps === 1 ? 0 : (step / steps) * 100;
}

/** The height of one, where a column just fills the box. */
function perPercent(column: readonly (readonly [string, number])[]): number {
  const total = column.reduce((sum, [, value]) => sum + value, 0);
  return Math.max(10, 100 - GAP * (column.length - 1)) / Math.max(1, total);
}

/** Whether a place is that of those who dropped off. */
export function isDropped(id: string): boolean {
  return placeName(id) === DROPPED;
}

function nodeValues(edges: readonly FlowEdge[]): Map<string, number> {
  const [into, from] = [new Map<string, number>(), new Map<string, number>()];
  for (const { source, target, value } of edges) {
    from.set(source, (from.get(source) ?? 0) + value);
    into.set(target, (into.get(target) ?? 0) + value);
  }
  const ids = new Set([...from.keys(), ...into.keys()]);
  return new Map([...ids].map((id) => [id, Math.max(from.get(id) ?? 0, into.get(id) ?? 0)]));
}

function keptEdges(edges: readonly FlowEdge[], most: number): FlowEdge[] {
  const ranked = [...nodeValues(edges)].toSorted((a, b) => b[1] - a[1]);
  const byStep = groupBy(ranked, ([id]) => stepOf(id));
  const kept = new Set(
    [...byStep.values()].flatMap((column) => [
      ...column
        .filter(([id]) => !isDropped(id))
        .slice(0, most)
        .map(([id]) => id),
      ...column.filter(([id]) => isDropped(id)).map(([id]) => id),
    ]),
  );
  return edges.filter(({ source, target, value }) => value > 0 && kept.has(source) && kept.has(target));
}

function ribbonsOf(edges: readonly FlowEdge[], nodes: readonly FlowNode[], scale: number): FlowRibbon[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const topOf = (id: string) => byId.get(id)!.top;
  const [out, into] = [new Map<string, number>(), new Map<string, number>()];
  // Those to higher places begin higher, so that few ribbons cross.
  const sorted = edges.toSorted(
    (a, b) => topOf(a.source) - topOf(b.source) || topOf(a.target) - topOf(b.target),
  );
  return sorted.map(({ source, target, value }) => {
    const [begin, end] = [byId.get(source)!, byId.get(target)!];
    const height = value * scale;
    const from = begin.top + (out.get(source) ?? 0);
    const to = end.top + (into.get(target) ?? 0);
    out.set(source, (out.get(source) ?? 0) + height);
    into.set(target, (into.get(target) ?? 0) + height);
    return { source, target, value, path: ribbon(begin.left + BAR, from, end.left, to, height) };
  });
}

function ribbon(left: number, from: number, right: number, to: number, height: number): string {
  const middle = round((left + right) / 2);
  const [a, b] = [round(from), round(to)];
  const [c, d] = [round(from + height), round(to + height)];
  const [x, y] = [round(left), round(right)];
  return `M${x} ${a}C${middle} ${a} ${middle} ${b} ${y} ${b}L${y} ${d}C${middle} ${d} ${middle} ${c} ${x} ${c}Z`;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;
