import { resolvedRange } from '../../dates.ts';
import type { Value } from '../../../../db/db.ts';
import type { KindAnswer } from '../../query-kind.ts';
import type { PathsPlan } from './to-hogql.ts';

type Rows = readonly (readonly Value[])[];

/** The edges of all paths, of the rows of `edgeCounts`. */
export function pathsAnswer(rows: Rows, { query, span }: PathsPlan): KindAnswer {
  const share = query.samplingFactor ?? 1;
  return {
    results: connected(rows).map(([source, target, value, average]) => ({
      source,
      target,
      value: Math.round(Number(value) / share),
      average_conversion_time: Number(average),
    })),
    resolved_date_range: resolvedRange(span),
  };
}

/** The edges that are reached from a first item: `edgeLimit` and the least and greatest weight may have removed those before. */
function connected(rows: Rows): Rows {
  const targets = new Map<string, string[]>();
  for (const [source, target] of rows) {
    targets.set(String(source), [...(targets.get(String(source)) ?? []), String(target)]);
  }
  const reached = new Set([...targets.keys()].filter((source) => source.startsWith('1_')));
  for (const source of reached) {
    for (const target of targets.get(source) ?? []) reached.add(target);
  }
  return rows.filter(([source]) => reached.has(String(source)));
}
