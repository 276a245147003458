import { defineKind } from '../../query-kind.ts';
import { stickinessActors } from './actors.ts';
import { stickinessPoint, stickinessQuery, stickinessSource } from './schema.ts';
import { seriesObject } from './shape.ts';
import { planStickiness, stickinessStatement } from './to-hogql.ts';

/** In how many intervals persons were active (management contract 9.9.2). */
export const stickinessKind = defineKind({
  kind: 'StickinessQuery',
  role: 'insight',
  schema: stickinessQuery,
  legacy: { name: 'STICKINESS', path: 'trend', source: stickinessSource },
  point: stickinessPoint,
  pointKind: 'StickinessActorsQuery',
  plan: planStickiness,
  async answer(plan, { runQuery }) {
    const results = plan.periods.flatMap((period) =>
      plan.series.map(async (series) => {
        const { rows } = await runQuery(stickinessStatement(plan, series, period));
        return seriesObject(rows, plan, series, period);
      }),
    );
    return { results: await Promise.all(results) };
  },
  actors: stickinessActors,
});
