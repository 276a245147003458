import { or } from '../../../../hogql/build.ts';
import { actionExpr, filterContext } from '../../filters.ts';
import { defineKind } from '../../query-kind.ts';
import { fill, pagesSeen, pair, planWeb, type WebPlan } from './plan.ts';
import { goalsQuery, type GoalsQuery } from './schema.ts';

/** Actions that are shown: pinned ones first. */
const MOST_GOALS = 5;

/** How many visitors did what the project's actions mean. */
export const webGoalsKind = defineKind({
  kind: 'WebGoalsQuery',
  role: 'table',
  schema: goalsQuery,
  plan: planWeb<GoalsQuery>,
  async answer(plan: WebPlan<GoalsQuery>, context) {
    const { orderBy, limit } = plan.query;
    const actions = (await context.goals()).slice(0, limit ?? MOST_GOALS);
    if (actions.length === 0) return { results: [], columns: COLUMNS };
    const filters = filterContext(context);
    const conditions = await Promise.all(actions.map((action) => actionExpr(action, filters)));
    const values = Object.fromEntries(conditions.map((condition, n) => [`goal_${n}`, condition]));
    const counted = or(pagesSeen(), ...conditions);
    const {
      rows: [row = []],
    } = await context.runQuery(await fill(statementOf(actions.length), { ...values, counted }, plan));
    const [visitors = 0, visitorsBefore = 0, ...numbers] = row.map(Number);
    const results = actions.map(({ name }, n) => {
      const [converted = 0, convertedBefore = 0, total = 0, totalBefore = 0] = numbers.slice(4 * n);
      const rate = rateOf(converted, visitors);
      const rateBefore = rateOf(convertedBefore, visitorsBefore);
      return [
        name,
        pair(converted, convertedBefore, plan),
        pair(total, totalBefore, plan),
        pair(rate, rateBefore, plan),
      ] satisfies Goal;
    });
    return { results: sorted(results, orderBy ?? null), columns: COLUMNS };
  },
});

type Goal = [string, ...[number, number | null][]];

const COLUMNS = ['action_name', 'converting_users', 'total_conversions', 'conversion_rate'].map(
  (name) => `context.columns.${name}`,
);
const ORDERED: Readonly<Record<string, number>> = {
  ConvertingUsers: 1,
  TotalConversions: 2,
  ConversionRate: 3,
};

/** Visitors of the sessions of each period, and of each goal who reached it and how often. */
function statementOf(goals: number): string {
  const numbers = Array.from({ length: goals }, (_, n) => n);
  return `
    SELECT uniqIf(visitor, {current}), uniqIf(visitor, {previous})
      ${numbers.map((n) => `, uniqIf(visitor, now_${n} > 0), uniqIf(visitor, before_${n} > 0), sum(now_${n}), sum(before_${n})`).join('')}
    FROM (
      SELECT any(person_id) AS visitor, min(session.$start_timestamp) AS started
        ${numbers.map((n) => `, countIf({goal_${n}} AND {seen_current}) AS now_${n}, countIf({goal_${n}} AND {seen_previous}) AS before_${n}`).join('')}
      FROM events
      WHERE $session_id != '' AND {counted} AND {seen} AND {filters}
      GROUP BY $session_id
      HAVING {started}
    )`;
}

function rateOf(converted: number, visitors: number): number {
  return visitors > 0 ? converted / visitors : 0;
}

function sorted(goals: Goal[], orderBy: readonly [string, 'ASC' | 'DESC'] | null): Goal[] {
  const [column = '', direction] = orderBy ?? [];
  const at = ORDERED[column];
  if (at === undefined) return goals;
  const sign = direction === 'DESC' ? -1 : 1;
  const numberAt = (goal: Goal): number => (goal[at] as [number, number | null])[0];
  return goals.toSorted((a, b) => sign * (numberAt(a) - numberAt(b)));
}
