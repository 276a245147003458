import type { Expr, JoinExpr, OrderExpr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  and,
  arithmetic,
  arrayAccess,
  call,
  compare,
  constant,
  field,
  from,
  join,
  or,
  order,
  over,
  parametric,
  select,
  tuple,
} from '../../../../hogql/build.ts';
import { filterContext } from '../../filters.ts';
import { defineKind, type KindContext } from '../../query-kind.ts';
import { scopeConditions } from '../../series.ts';
import { pageOf } from '../../table-columns.ts';
import { breakdownOf, entryPage, leftPage } from './breakdowns.ts';
import { fill, pair, planWeb, SESSIONS, type WebPlan } from './plan.ts';
import { statsTableQuery, type ORDERS, type StatsTableQuery } from './schema.ts';

type Plan = WebPlan<StatsTableQuery>;
type Order = (typeof ORDERS)[number];

/** Visitors, views and more by pages, sources, devices or places. */
export const webStatsTableKind = defineKind({
  kind: 'WebStatsTableQuery',
  role: 'table',
  schema: statsTableQuery,
  plan: planWeb<StatsTableQuery>,
  async answer(plan: Plan, context) {
    const columns = columnsOf(plan);
    const table = await context.runQuery(await statementOf(plan, columns, context));
    return {
      results: table.rows.map(([value, share, ...numbers]) => [
        value,
        ...columns.map((_, at) => pair(numbers[2 * at] ?? null, numbers[2 * at + 1] ?? null, plan)),
        share,
        '',
      ]),
      columns: ['breakdown_value', ...columns.map(({ name }) => name), 'ui_fill_fraction', 'cross_sell'].map(
        (name) => `context.columns.${name}`,
      ),
      hasMore: table.hasMore,
      limit: table.limit,
      offset: table.offset,
    };
  },
});

/** A number of a row, and the one of the period before. */
interface Column {
  readonly name: string;
  readonly order: Order;
  /** A row's share is its part of the sum; otherwise the number is a share itself. */
  readonly isCount: boolean;
  readonly source: 'counted' | 'entered' | 'left';
}

const VISITORS: Column = { name: 'visitors', order: 'Visitors', isCount: true, source: 'counted' };
const VIEWS: Column = { name: 'views', order: 'Views', isCount: true, source: 'counted' };
const GOAL_COLUMNS: readonly Column[] = [
  { name: 'total_conversions', order: 'TotalConversions', isCount: true, source: 'counted' },
  { name: 'unique_conversions', order: 'UniqueConversions', isCount: true, source: 'counted' },
  { name: 'conversion_rate', order: 'ConversionRate', isCount: false, source: 'counted' },
];
const FRUSTRATIONS: readonly Column[] = [
  { name: 'rage_clicks', order: 'RageClicks', isCount: true, source: 'counted' },
  { name: 'dead_clicks', order: 'DeadClicks', isCount: true, source: 'counted' },
  { name: 'errors', order: 'Errors', isCount: true, source: 'counted' },
];
const FRUSTRATION_EVENTS = ['$pageview', '$screen', '$rageclick', '$dead_click', '$exception'];
const TIME: Column = { name: 'avg_time_on_page', order: 'AvgTimeOnPage', isCount: false, source: 'left' };
const SCROLL: readonly Column[] = [
  { name: 'average_scroll_percentage', order: 'AverageScrollPercentage', isCount: false, source: 'left' },
  { name: 'scroll_gt80_percentage', order: 'ScrollGt80Percentage', isCount: false, source: 'left' },
];

function columnsOf({ query, goal }: Plan): readonly Column[] {
  if (query.breakdownBy === 'FrustrationMetrics') return FRUSTRATIONS;
  if (goal !== null) return [VISITORS, ...GOAL_COLUMNS];
  const isPage = query.breakdownBy === 'Page';
  const withTime = isPage && query.includeAvgTimeOnPage === true;
  const withScroll = isPage && query.includeScrollDepth === true;
  // The bounces of a page are those of the sessions that began with it.
  const bounces: Column = {
    name: 'bounce_rate',
    order: 'BounceRate',
    isCount: false,
    source: isPage ? 'entered' : 'counted',
  };
  return [
    VISITORS,
    VIEWS,
    ...(withTime ? [TIME] : []),
    ...(query.includeBounceRate === true || withTime || withScroll ? [bounces] : []),
    ...(withScroll ? SCROLL : []),
  ];
}

const COUNTED = `
  SELECT {shown} AS shown, {region} AS region, uniqIf(visitor, {current}) AS visitors, uniqIf(visitor, {previous}) AS visitors_before,
    sumIf(pages, {current}) AS views, sumIf(pages, {previous}) AS views_before,
    avgIf(toInt(bounced), {current}) AS bounce_rate, avgIf(toInt(bounced), {previous}) AS bounce_rate_before,
    sumIf(conversions, {current}) AS total_conversions, sumIf(conversions, {previous}) AS total_conversions_before,
    uniqIf(visitor, {current} AND conversions > 0) AS unique_conversions,
    uniqIf(visitor, {previous} AND conversions > 0) AS unique_conversions_before,
    if(visitors = 0, NULL, unique_conversions / visitors) AS conversion_rate,
    if(visitors_before = 0, NULL, unique_conversions_before / visitors_before) AS conversion_rate_before,
    sumIf(rages, {current}) AS rage_clicks, sumIf(rages, {previous}) AS rage_clicks_before,
    sumIf(deads, {current}) AS dead_clicks, sumIf(deads, {previous}) AS dead_clicks_before,
    sumIf(failures, {current}) AS errors, sumIf(failures, {previous}) AS errors_before
  FROM (${SESSIONS})
  GROUP BY shown
  HAVING {worth}`;

/** Of sessions that began on a page, whatever pages the query asks for. */
const ENTERED = `
  SELECT value, avgIf(toInt(bounced), {current}) AS bounce_rate, avgIf(toInt(bounced), {previous}) AS bounce_rate_before
  FROM (${SESSIONS})
  GROUP BY value`;

/** What the event after a page says about it: how long it was shown, and how far it was scrolled. */
const LEFT = `
  SELECT value,
    quantileIf(0.9)(least(seconds, 86400), {seen_current}) AS avg_time_on_page,
    quantileIf(0.9)(least(seconds, 86400), {seen_previous}) AS avg_time_on_page_before,
    avgIf(scrolled, {seen_current}) AS average_scroll_percentage,
    avgIf(scrolled, {seen_previous}) AS average_scroll_percentage_before,
    avgIf(if(scrolled > 0.8, 1, 0), {seen_current} AND scrolled IS NOT NULL) AS scroll_gt80_percentage,
    avgIf(if(scrolled > 0.8, 1, 0), {seen_previous} AND scrolled IS NOT NULL) AS scroll_gt80_percentage_before
  FROM (
    SELECT {value} AS value, timestamp, toFloat(properties.$prev_pageview_duration) AS seconds,
      toFloat(properties.$prev_pageview_max_content_percentage) AS scrolled
    FROM events
    WHERE event IN ('$pageview', '$pageleave', '$screen') AND {seen} AND {filters}
  )
  WHERE value IS NOT NULL
  GROUP BY value`;

/** A language is shown with the region that most of its visitors have: `en-US`. */
const LANGUAGE = call('splitByChar', constant('-'), field('value'));
const part = (at: number): Expr => call('arrayElement', LANGUAGE, constant(at));

async function countedOf(plan: Plan): Promise<SelectQuery> {
  const { breakdownBy } = plan.query;
  const isLanguage = breakdownBy === 'Language';
  const isFrustration = breakdownBy === 'FrustrationMetrics';
  const frustrations = FRUSTRATIONS.flatMap(({ name }) => [field(name), field(`${name}_before`)]);
  return await fill(
    COUNTED,
    {
      ...breakdownOf(plan),
      shown: isLanguage ? part(1) : field('value'),
      region: isLanguage
        ? arrayAccess(parametric('topK', [constant(1)], part(2)), constant(1))
        : constant(null),
      worth: isFrustration
        ? or(...frustrations.map((count) => compare('>', count, constant(0))))
        : constant(true),
      ...(isFrustration && {
        counted: compare('in', field('event'), tuple(...FRUSTRATION_EVENTS.map((name) => constant(name)))),
      }),
    },
    plan,
  );
}

async function statementOf(
  plan: Plan,
  columns: readonly Column[],
  context: KindContext,
): Promise<SelectQuery> {
  const sources = new Set(columns.map(({ source }) => source));
  const sort = orderOf(plan, columns);
  let table: JoinExpr = from(await countedOf(plan), 'counted');
  const withJoined = (name: string, query: SelectQuery): JoinExpr =>
    join(
      table,
      'LEFT JOIN',
      from(query, name),
      compare('==', field('counted', 'shown'), field(name, 'value')),
    );
  if (sources.has('entered')) table = withJoined('entered', await enteredOf(plan, context));
  if (sources.has('left')) table = withJoined('left', await leftOf(plan, context));
  const numbers = columns.flatMap(({ source, name }) => [
    field(source, name),
    field(source, `${name}_before`),
  ]);
  const value = field('counted', 'shown');
  const isLanguage = plan.query.breakdownBy === 'Language';
  return select({
    select: [isLanguage ? language() : value, shareOf(sort.column), ...numbers],
    from: table,
    orderBy: sort.orders,
    ...pageOf(plan.query, context),
  });
}

function language(): Expr {
  return call('concat', field('counted', 'shown'), constant('-'), field('counted', 'region'));
}

/** Sessions by the page on which they began; a filter on pages would leave out those that began elsewhere. */
async function enteredOf(plan: Plan, context: KindContext): Promise<SelectQuery> {
  const filters = await filtersWith(null, plan, context);
  return await fill(ENTERED, { value: entryPage(plan), kept: constant(true), filters }, plan);
}

/** What is said of pages by the events after them, on whatever page those happened. */
async function leftOf(plan: Plan, context: KindContext): Promise<SelectQuery> {
  const filters = await filtersWith('$prev_pageview_pathname', plan, context);
  return await fill(LEFT, { value: leftPage(plan), filters }, plan);
}

/** The filters of the query, of which those on the page of an event ask for another property; null: they are left out. */
async function filtersWith(page: string | null, { query }: Plan, context: KindContext): Promise<Expr> {
  const testAccountFilters = withPage(context.testAccountFilters, page);
  const properties = query.properties && withPage([query.properties].flat(), page);
  return and(
    ...(await scopeConditions({ ...query, properties }, { testAccountFilters }, filterContext(context))),
  );
}

type FilterNode = { readonly values?: readonly unknown[]; readonly key?: unknown; readonly type?: unknown };

function withPage<Node extends FilterNode>(nodes: readonly Node[], page: string | null): Node[] {
  return nodes.flatMap((node): Node[] => {
    if (node.values !== undefined) return [{ ...node, values: withPage(node.values as Node[], page) }];
    if (node.key !== '$pathname' || (node.type ?? 'event') !== 'event') return [node];
    return page === null ? [] : [{ ...node, key: page }];
  });
}

/** The part of all that a row has of the column by which the table is sorted; NULL where all have none. */
function shareOf({ source, name, isCount }: Column): Expr {
  const number = field(source, name);
  return isCount
    ? arithmetic('/', number, call('nullIf', over(call('sum', number), {}), constant(0)))
    : number;
}

/** By the requested column, then by the counts, then by the value. */
function orderOf({ query }: Plan, columns: readonly Column[]): { column: Column; orders: OrderExpr[] } {
  const [wanted, direction = 'DESC'] = query.orderBy ?? [];
  const requested = columns.find((column) => column.order === wanted);
  const [fallback] = columns;
  const names = [
    'unique_conversions',
    'total_conversions',
    'visitors',
    'views',
    'errors',
    'rage_clicks',
    'dead_clicks',
  ];
  const counts = names.flatMap((name) =>
    columns.filter((column) => column.name === name && column !== requested),
  );
  const sorted = requested === undefined ? counts : [requested, ...counts];
  return {
    column: sorted[0] ?? fallback!,
    orders: [
      ...sorted.flatMap(({ source, name }) => [
        order(field(source, name), direction),
        order(field(source, `${name}_before`), direction),
      ]),
      order(field('counted', 'shown')),
    ],
  };
}
