import { fail } from '../../../../errors.ts';
import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { and, compare, constant, field, or } from '../../../../hogql/build.ts';
import { replacePlaceholders } from '../../../../hogql/placeholders.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { firstEventOf, previousSpan, resolveDates, type DateSpan } from '../../dates.ts';
import { actionExpr, filterContext, filterExpr, type FilterContext } from '../../filters.ts';
import { cleanedPath, readRules, type PathRule } from '../../path-cleaning.ts';
import type { KindContext } from '../../query-kind.ts';
import { between, scopeConditions } from '../../series.ts';
import type { WebQuery } from './schema.ts';

/** What the queries of web analytics have in common, read. */
export interface WebPlan<Q extends WebQuery = WebQuery> {
  readonly query: Q;
  readonly span: DateSpan;
  /** The span that it is compared to; null: none. */
  readonly previous: DateSpan | null;
  /** The filters of the query and of test accounts. */
  readonly filters: Expr;
  /** The condition of the events that are the goal; null: no goal. */
  readonly goal: Expr | null;
  /** Rules that clean paths; none unless the query asks for them. */
  readonly rules: readonly PathRule[];
  readonly context: KindContext;
}

/** Reads dates, filters and goal. Throws invalid_input, HogqlError. */
export async function planWeb<Q extends WebQuery>(query: Q, context: KindContext): Promise<WebPlan<Q>> {
  const filters = filterContext(context);
  const { now, weekStartDay: weekStart, timezone, pathCleaningFilters } = context;
  const [firstEvent, scope, goal] = await Promise.all([
    firstEventOf(query.dateRange, context),
    scopeConditions(query, context, filters),
    goalOf(query, filters),
  ]);
  const zone = timeZone(timezone);
  const dates = { zone, weekStart, now, interval: query.interval ?? null, firstEvent };
  const span = resolveDates(query.dateRange, dates);
  const { compare: isCompared, compare_to: compareTo } = query.compareFilter ?? {};
  return {
    query,
    span,
    previous: isCompared === true ? previousSpan(query.dateRange, span, compareTo, dates) : null,
    filters: and(...scope),
    goal,
    rules: query.doPathCleaning === true ? readRules(pathCleaningFilters) : [],
    context,
  };
}

async function goalOf({ conversionGoal: goal }: WebQuery, context: FilterContext): Promise<Expr | null> {
  if (goal === null || goal === undefined) return null;
  const own = (await filterExpr(goal.properties, context)) ?? constant(true);
  const { actionId: id, customEventName: event } = goal;
  if (id === null || id === undefined) return and(compare('==', field('event'), constant(event ?? '')), own);
  const action = await context.action(id);
  if (action === null)
    throw fail('invalid_input', { detail: `Action ${id} does not exist in this project.` });
  return and(await actionExpr(action, context), own);
}

/** Values for the names in braces of a statement of web analytics: every plan has those of `PERIODS`. */
export type Values = Readonly<Record<string, Expr>>;

/** Parses a statement and replaces its names in braces. */
export async function fill(text: string, values: Values, plan: WebPlan): Promise<SelectQuery> {
  const all: Values = { ...valuesOf(plan), ...values };
  const tree = await plan.context.parse.select(text);
  return replacePlaceholders(tree, ({ chain: [name] }) => {
    const value = all[name!];
    if (value === undefined) throw new Error(`The statement names {${name}}, which has no value`);
    return value;
  }) as SelectQuery;
}

function valuesOf({ span, previous, filters, goal }: WebPlan): Values {
  const started = field('started');
  const timestamp = field('timestamp');
  const within = (moment: Expr): Expr =>
    previous === null ? between(moment, span) : or(between(moment, span), between(moment, previous));
  return {
    current: between(started, span),
    previous: previous === null ? constant(false) : between(started, previous),
    started: within(started),
    seen: within(timestamp),
    seen_current: between(timestamp, span),
    seen_previous: previous === null ? constant(false) : between(timestamp, previous),
    filters,
    goal: goal ?? constant(false),
    counted: or(pagesSeen(), ...(goal === null ? [] : [goal])),
    kept: constant(true),
    value: constant(''),
  };
}

/**
 * One row per session and value: a session belongs to the period in which it began, as one visitor,
 * also when a person signs in meanwhile. Events without a session count nowhere.
 */
export const SESSIONS = `
  SELECT {value} AS value, any(person_id) AS visitor, $session_id AS visit, min(session.$start_timestamp) AS started,
    countIf(event IN ('$pageview', '$screen')) AS pages, any(session.$session_duration) AS duration,
    any(session.$is_bounce) AS bounced, countIf({goal}) AS conversions, countIf(event = '$rageclick') AS rages,
    countIf(event = '$dead_click') AS deads, countIf(event = '$exception') AS failures
  FROM events
  WHERE $session_id != '' AND {seen} AND {counted} AND {filters} AND {kept}
  GROUP BY value, visit
  HAVING {started}`;

/** A page or a screen of an app. */
export function pagesSeen(): Expr {
  return or(...['$pageview', '$screen'].map((name) => compare('==', field('event'), constant(name))));
}

/** A path as the project's rules write it. */
export function cleaned(path: Expr, { rules }: Pick<WebPlan, 'rules'>): Expr {
  return cleanedPath(path, rules);
}

/** A number with that of the period before; null without comparison. */
export function pair<T>(current: T, before: T, { previous }: Pick<WebPlan, 'previous'>): [T, T | null] {
  return [current, previous === null ? null : before];
}
