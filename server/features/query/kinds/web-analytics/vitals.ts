import { constant, field, parametric } from '../../../../hogql/build.ts';
import { defineKind } from '../../query-kind.ts';
import { cleaned, fill, planWeb, type WebPlan } from './plan.ts';
import { vitalsPathsQuery, vitalsQuery, type VitalsPathsQuery, type VitalsQuery } from './schema.ts';

/** Web vitals over time: the trends of their measurements. */
export const webVitalsKind = defineKind({
  kind: 'WebVitalsQuery',
  role: 'table',
  schema: vitalsQuery,
  plan: (query: VitalsQuery) => Promise.resolve(query),
  answer: ({ source }, { answerOf }) => answerOf(source),
});

/** Paths of a band at most. */
const MOST_PATHS = 20;

/** Paths by how one of their vitals is: good, in need of improvement, or poor. */
export const webVitalsPathsKind = defineKind({
  kind: 'WebVitalsPathBreakdownQuery',
  role: 'table',
  schema: vitalsPathsQuery,
  plan: planWeb<VitalsPathsQuery>,
  async answer(plan: WebPlan<VitalsPathsQuery>, { runQuery }) {
    const { metric, percentile, thresholds } = plan.query;
    const share = constant(Number(percentile.slice(1)) / 100);
    const [good, poor] = thresholds;
    const { rows } = await runQuery(
      await fill(
        PATHS,
        {
          value: cleaned(field('properties', '$pathname'), plan),
          measured: field('properties', `$web_vitals_${metric}_value`),
          percentile: parametric('quantile', [share], field('measured')),
          good: constant(good),
          poor: constant(poor),
          most: constant(MOST_PATHS),
        },
        plan,
      ),
    );
    const inBand = (band: number) =>
      rows.filter((row) => Number(row[2]) === band).map(([path, value]) => ({ path, value: Number(value) }));
    return { results: [{ good: inBand(0), needs_improvements: inBand(1), poor: inBand(2) }] };
  },
});

const PATHS = `
  SELECT path, number, multiIf(number <= {good}, 0, number <= {poor}, 1, 2) AS band
  FROM (
    SELECT value AS path, {percentile} AS number
    FROM (
      SELECT {value} AS value, toFloat({measured}) AS measured
      FROM events
      WHERE event = '$web_vitals' AND {seen_current} AND {filters} AND value IS NOT NULL AND measured IS NOT NULL
    )
    GROUP BY path
  )
  ORDER BY band, number, path
  LIMIT {most} BY band`;
