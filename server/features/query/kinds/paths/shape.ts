import { resolvedRange } from '../../dates.ts';
import type { Value } from '../../../../db/db.ts';
import type { KindAnswer } from '../../query-kind.ts';
import type { PathsPlan } from './to-hogql.ts';

/** The edges of all paths, of the rows of `edgeCounts`. */
export function pathsAnswer(rows: readonly (readonly Value[])[], { query, span }: PathsPlan): KindAnswer {
  const share = query.samplingFactor ?? 1;
  return {
    results: rows.map(([source, target, value, average]) => ({
      source,
      target,
      value: Math.round(Number(value) / share),
      average_conversion_time: Number(average),
    })),
    resolved_date_range: resolvedRange(span),
  };
}
