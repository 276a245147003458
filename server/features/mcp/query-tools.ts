import { z } from 'zod';
import { answerText } from './answer-text.ts';
import { defineTool, type Tool, type ToolApi } from './tool.ts';

const MAX_STATEMENT = 100_000;

type Node = Readonly<Record<string, unknown>>;

const filters = z
  .array(
    z.looseObject({
      key: z.string(),
      value: z.unknown().optional(),
      operator: z.string().optional(),
      type: z.string().optional(),
    }),
  )
  .max(50)
  .optional()
  .describe(
    'Property filters, all of which must match: {"key":"plan","value":["pro"],"operator":"exact","type":"event"}. Types: event, person, session, cohort, hogql. Operators: exact, is_not, icontains, regex, gt, lt, is_set, is_not_set, is_date_after and others.',
  );

const series = z
  .array(
    z.object({
      event: z.string().nullable().optional().describe('Name of an event; null for all events'),
      action_id: z.int().optional().describe('An action instead of an event'),
      math: z
        .string()
        .optional()
        .describe(
          'total (default), dau (unique persons), weekly_active, monthly_active, unique_session, first_time_for_user, sum, avg, min, max, median, p90, p95, p99',
        ),
      math_property: z.string().optional().describe('Property for sum, avg and their like'),
      properties: filters,
      name: z.string().max(400).optional().describe('Label'),
    }),
  )
  .min(1)
  .max(25);

const dates = {
  date_from: z.string().max(40).default('-7d').describe('-7d, -4w, -3m, dStart, mStart, or 2026-11-20'),
  date_to: z.string().max(40).optional(),
};
const shared = {
  ...dates,
  properties: filters,
  exclude_test_accounts: z.boolean().default(false),
};
const interval = z.enum(['minute', 'hour', 'day', 'week', 'month']).optional();
const breakdown = {
  breakdown: z.string().max(400).optional().describe('Property to group by'),
  breakdown_type: z.enum(['event', 'person', 'session', 'hogql']).default('event'),
  breakdown_limit: z.int().min(1).max(50).optional(),
};

interface Shared {
  date_from: string;
  date_to?: string | undefined;
  properties?: unknown;
  exclude_test_accounts: boolean;
}

function sharedNode({ date_from, date_to, properties, exclude_test_accounts: excludes }: Shared): Node {
  return defined({
    dateRange: defined({ date_from, date_to }),
    properties,
    filterTestAccounts: excludes || undefined,
  });
}

function seriesNodes(list: z.output<typeof series>): Node[] {
  return list.map(({ event, action_id: action, name, ...rest }) =>
    action === undefined
      ? defined({ kind: 'EventsNode', event: event ?? null, custom_name: name, ...rest })
      : defined({ kind: 'ActionsNode', id: action, custom_name: name, ...rest }),
  );
}

function breakdownNode(input: {
  breakdown?: string | undefined;
  breakdown_type: string;
  breakdown_limit?: number | undefined;
}): Node | undefined {
  const { breakdown: property, breakdown_type, breakdown_limit } = input;
  return property === undefined
    ? undefined
    : defined({ breakdown: property, breakdown_type, breakdown_limit });
}

/** Without fields that have no value, which the API would read as null. */
function defined(fields: Node): Node {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function ask(api: ToolApi, query: Node): Promise<string> {
  return answerText(await api.post('P/query/', { query, refresh: 'blocking' }));
}

/** The result, and the query as insight-create takes it. */
async function askInsight(api: ToolApi, query: Node): Promise<string> {
  return `${await ask(api, query)}\n\nQuery: ${JSON.stringify(query)}`;
}

/** Tools that run HogQL and the queries of insights. */
export const queryTools: readonly Tool[] = [
  defineTool({
    name: 'execute-sql',
    title: 'Run HogQL',
    description:
      'Runs one SELECT in HogQL (ClickHouse SQL over events, persons, sessions, groups, cohort_people, person_distinct_ids and system.*) and returns its rows as CSV. Properties: properties.plan, person.properties.email. Times: timestamp > now() - interval 7 day. Without LIMIT the first 100 rows are returned, and never more than 500.',
    scope: 'query:read',
    input: z.object({ query: z.string().min(1).max(MAX_STATEMENT) }),
    run: ({ query }, api) => ask(api, { kind: 'HogQLQuery', query }),
  }),
  defineTool({
    name: 'database-schema',
    title: 'Read the schema',
    description: 'Lists the tables of HogQL with their columns and types; with `table` of that one only.',
    scope: 'query:read',
    input: z.object({ table: z.string().max(200).optional() }),
    run: ({ table }, api) => schemaText(api, table),
  }),
  defineTool({
    name: 'query-trends',
    title: 'Trends',
    description: 'Counts events or persons over time, or in total, with breakdowns, comparison and formulas.',
    scope: 'query:read',
    input: z.object({
      series,
      ...shared,
      interval,
      ...breakdown,
      display: z
        .enum([
          'ActionsLineGraph',
          'ActionsLineGraphCumulative',
          'ActionsBarValue',
          'ActionsTable',
          'BoldNumber',
        ])
        .optional()
        .describe('BoldNumber, ActionsBarValue and ActionsTable count in total, the others over time'),
      formula: z.string().max(400).optional().describe('Such as A / B * 100'),
      compare: z.boolean().default(false).describe('With the period before'),
    }),
    run: (input, api) => {
      const { display, formula } = input;
      const query = defined({
        kind: 'TrendsQuery',
        series: seriesNodes(input.series),
        ...sharedNode(input),
        interval: input.interval,
        breakdownFilter: breakdownNode(input),
        trendsFilter: display || formula ? defined({ display, formula }) : undefined,
        compareFilter: input.compare ? { compare: true } : undefined,
      });
      return askInsight(api, query);
    },
  }),
  defineTool({
    name: 'query-funnel',
    title: 'Funnel',
    description: 'Counts persons who did one event after the other, and how many went on at each step.',
    scope: 'query:read',
    input: z.object({
      series: series.min(2).describe('The steps in their order'),
      ...shared,
      ...breakdown,
      window: z.int().min(1).max(365).default(14).describe('Within so many…'),
      window_unit: z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']).default('day'),
      order: z.enum(['ordered', 'unordered', 'strict']).default('ordered'),
    }),
    run: (input, api) => {
      const query = defined({
        kind: 'FunnelsQuery',
        series: seriesNodes(input.series),
        ...sharedNode(input),
        breakdownFilter: breakdownNode(input),
        funnelsFilter: {
          funnelOrderType: input.order,
          funnelWindowInterval: input.window,
          funnelWindowIntervalUnit: input.window_unit,
        },
      });
      return askInsight(api, query);
    },
  }),
  defineTool({
    name: 'query-retention',
    title: 'Retention',
    description:
      'Counts how many persons who did one event come back for another one in the periods after it.',
    scope: 'query:read',
    input: z.object({
      target_event: z.string().max(200).describe('The event that begins'),
      returning_event: z
        .string()
        .max(200)
        .optional()
        .describe('The event to come back for (default: the same)'),
      period: z.enum(['Hour', 'Day', 'Week', 'Month']).default('Week'),
      intervals: z.int().min(2).max(31).default(8),
      first_time: z
        .boolean()
        .default(false)
        .describe('Only persons who do the first event for the first time'),
      date_to: z.string().max(40).optional(),
      properties: filters,
      exclude_test_accounts: z.boolean().default(false),
    }),
    run: (input, api) => {
      const entity = (id: string): Node => ({ id, type: 'events' });
      const { target_event: target, date_to } = input;
      const query = defined({
        kind: 'RetentionQuery',
        retentionFilter: {
          period: input.period,
          totalIntervals: input.intervals,
          targetEntity: entity(target),
          returningEntity: entity(input.returning_event ?? target),
          retentionType: input.first_time ? 'retention_first_time' : 'retention_recurring',
        },
        dateRange: date_to === undefined ? undefined : { date_to },
        properties: input.properties,
        filterTestAccounts: input.exclude_test_accounts || undefined,
      });
      return askInsight(api, query);
    },
  }),
  defineTool({
    name: 'query-lifecycle',
    title: 'Lifecycle',
    description: 'Counts persons of an event as new, returning, resurrecting and dormant in each interval.',
    scope: 'query:read',
    input: z.object({ series: series.max(1), ...shared, interval }),
    run: (input, api) => {
      const nodes = { series: seriesNodes(input.series), interval: input.interval };
      return askInsight(api, defined({ kind: 'LifecycleQuery', ...nodes, ...sharedNode(input) }));
    },
  }),
  defineTool({
    name: 'query-stickiness',
    title: 'Stickiness',
    description: 'Counts in how many intervals of the time range persons did an event.',
    scope: 'query:read',
    input: z.object({ series, ...shared, interval }),
    run: (input, api) => {
      const nodes = { series: seriesNodes(input.series), interval: input.interval };
      return askInsight(api, defined({ kind: 'StickinessQuery', ...nodes, ...sharedNode(input) }));
    },
  }),
  defineTool({
    name: 'query-paths',
    title: 'Paths',
    description: 'Shows which pages or events follow each other in sessions, and how often.',
    scope: 'query:read',
    input: z.object({
      of: z.enum(['$pageview', '$screen', 'custom_event']).default('$pageview'),
      start: z.string().max(1_000).optional().describe('Page or event with which paths begin'),
      end: z.string().max(1_000).optional(),
      steps: z.int().min(2).max(20).default(5),
      edges: z.int().min(1).max(200).default(50),
      ...shared,
    }),
    run: (input, api) => {
      const pathsFilter = defined({
        includeEventTypes: [input.of],
        startPoint: input.start,
        endPoint: input.end,
        stepLimit: input.steps,
        edgeLimit: input.edges,
      });
      return askInsight(api, { kind: 'PathsQuery', pathsFilter, ...sharedNode(input) });
    },
  }),
  defineTool({
    name: 'query-run',
    title: 'Run any query',
    description:
      'Runs a query node as PostHog has it, for what the other query tools do not offer: {"kind":"TrendsQuery","series":[…]}, EventsQuery, ActorsQuery, WebOverviewQuery, WebStatsTableQuery, InsightVizNode and others.',
    scope: 'query:read',
    input: z.object({ query: z.looseObject({ kind: z.string() }) }),
    run: ({ query }, api) => ask(api, query),
  }),
];

interface SchemaTable {
  fields: Record<string, { name: string; type: string; table?: string }>;
}

/** A line for each table: `events: uuid string, event string, …`. */
export async function schemaText(api: ToolApi, only?: string): Promise<string> {
  const query = { kind: 'DatabaseSchemaQuery' };
  const { tables } = await api.post<{ tables: Record<string, SchemaTable> }>('P/query/', { query });
  const named = Object.entries(tables).filter(([name]) => only === undefined || name === only);
  if (named.length === 0) return `There is no table ${only}. Tables: ${Object.keys(tables).join(', ')}.`;
  return named
    .map(([name, { fields }]) => {
      const columns = Object.values(fields).map(({ name: column, type, table }) =>
        table === undefined ? `${column} ${type}` : `${column} (joins ${table})`,
      );
      return `${name}: ${columns.join(', ')}`;
    })
    .join('\n');
}
