import { defineKind } from '../../query-kind.ts';
import { stickinessQuery } from '../insight-kinds.contract.ts';
import { planStickiness } from './to-hogql.ts';
import { stickinessActors } from './actors.ts';
import { seriesObject } from './shape.ts';

/** In how many intervals people were active (management contract 9.9.2). */
export const stickinessKind = defineKind({
  kind: 'StickinessQuery',
  schema: stickinessQuery,
  async answer(query, context) {
    const { series, periods } = await planStickiness(query, context);
    const results = await Promise.all(
      periods.map((period) => Promise.all(series.map((one) => seriesObject(query, one, period, context)))),
    );
    return { results: results.flat() };
  },
  actors: stickinessActors,
});
