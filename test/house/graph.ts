/** A directed graph: from -> to -> what is known of the edge. */
export type Graph<E> = Map<string, Map<string, E>>;

export function createGraph<E>(): Graph<E> {
  return new Map();
}

/** Adds an edge; the first one between two nodes stays. */
export function addEdge<E>(graph: Graph<E>, from: string, to: string, edge: E): void {
  const edges = graph.get(from) ?? new Map<string, E>();
  if (!edges.has(to)) edges.set(to, edge);
  graph.set(from, edges);
}

/** The edges that lie on a cycle: those whose end leads back to their start. */
export function edgesOnCycles<E>(graph: Graph<E>): { from: string; to: string; edge: E }[] {
  return [...graph].flatMap(([from, edges]) =>
    [...edges].filter(([to]) => reaches(graph, to, from)).map(([to, edge]) => ({ from, to, edge })),
  );
}

function reaches<E>(graph: Graph<E>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const waiting = [from];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...(graph.get(name)?.keys() ?? []));
  }
  return false;
}
