import { timeZone } from '../../../../lib/time-zone.ts';
import { defineKind } from '../../query-kind.ts';
import { fill, pair, planWeb, SESSIONS, type WebPlan } from './plan.ts';
import { overviewQuery } from './schema.ts';

/** Visitors, views, sessions, their length and bounce rate; or how many reached a goal. */
export const webOverviewKind = defineKind({
  kind: 'WebOverviewQuery',
  role: 'table',
  schema: overviewQuery,
  plan: planWeb,
  async answer(plan: WebPlan, { runQuery, timezone }) {
    const {
      rows: [row = []],
    } = await runQuery(await fill(plan.goal === null ? NUMBERS : GOAL_NUMBERS, {}, plan));
    const items = plan.goal === null ? ITEMS : GOAL_ITEMS;
    const dayTime = (moment: number): string =>
      new Date(timeZone(timezone).localOf(moment)).toISOString().slice(0, 19).replace('T', ' ');
    return {
      results: items.map((item, at) => itemOf(item, numberOf(row[2 * at]), numberOf(row[2 * at + 1]), plan)),
      dateFrom: dayTime(plan.span.from),
      dateTo: dayTime(plan.span.to - 1),
    };
  },
});

const NUMBERS = `
  SELECT uniqIf(visitor, {current}), uniqIf(visitor, {previous}), sumIf(pages, {current}), sumIf(pages, {previous}),
    uniqIf(visit, {current}), uniqIf(visit, {previous}), avgIf(duration, {current}), avgIf(duration, {previous}),
    avgIf(toInt(bounced), {current}), avgIf(toInt(bounced), {previous})
  FROM (${SESSIONS})`;

const GOAL_NUMBERS = `
  SELECT visitors, visitors_before, total, total_before, converted, converted_before,
    if(visitors = 0, NULL, converted / visitors), if(visitors_before = 0, NULL, converted_before / visitors_before)
  FROM (
    SELECT uniqIf(visitor, {current}) AS visitors, uniqIf(visitor, {previous}) AS visitors_before,
      sumIf(conversions, {current}) AS total, sumIf(conversions, {previous}) AS total_before,
      uniqIf(visitor, {current} AND conversions > 0) AS converted,
      uniqIf(visitor, {previous} AND conversions > 0) AS converted_before
    FROM (${SESSIONS})
  )`;

interface Item {
  readonly key: string;
  readonly kind: 'unit' | 'duration_s' | 'percentage';
  readonly isIncreaseBad?: true;
}

const ITEMS: readonly Item[] = [
  { key: 'visitors', kind: 'unit' },
  { key: 'views', kind: 'unit' },
  { key: 'sessions', kind: 'unit' },
  { key: 'session duration', kind: 'duration_s' },
  { key: 'bounce rate', kind: 'percentage', isIncreaseBad: true },
];
const GOAL_ITEMS: readonly Item[] = [
  { key: 'visitors', kind: 'unit' },
  { key: 'total conversions', kind: 'unit' },
  { key: 'unique conversions', kind: 'unit' },
  { key: 'conversion rate', kind: 'percentage' },
];

function numberOf(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function itemOf(
  { key, kind, isIncreaseBad }: Item,
  now: number | null,
  before: number | null,
  plan: WebPlan,
) {
  const [value, previous] = pair(now, before, plan).map((number) =>
    number !== null && kind === 'percentage' ? number * 100 : number,
  ) as [number | null, number | null];
  return {
    key,
    kind,
    isIncreaseBad: isIncreaseBad ?? null,
    value,
    previous,
    changeFromPreviousPct:
      value === null || !previous ? null : roundEven((100 * (value - previous)) / previous),
  };
}

/** To the nearest whole number, halves to the even one, as Python rounds. */
function roundEven(value: number): number {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 === 0 ? low : low + 1;
}
