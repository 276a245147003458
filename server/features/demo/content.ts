/** What a demo project has beside its events; plain objects, as the API takes them. */
export interface DemoContent {
  readonly flags: readonly DemoFlag[];
  readonly survey: { readonly name: string; readonly question: string };
  readonly actions: readonly {
    readonly name: string;
    readonly description: string;
    readonly steps: readonly Json[];
  }[];
  readonly cohorts: readonly { readonly name: string; readonly description: string; readonly rule: Json }[];
  readonly annotations: readonly { readonly day: number; readonly hour?: number; readonly text: string }[];
  readonly dashboards: readonly DemoDashboard[];
}

export type Json = Readonly<Record<string, unknown>>;

export interface DemoFlag {
  readonly key: string;
  readonly name: string;
  readonly filters: Json;
  readonly isActive?: boolean;
  /** It is the flag of an experiment. */
  readonly isExperiment?: boolean;
}

export interface DemoDashboard {
  readonly name: string;
  readonly description: string;
  readonly tiles: readonly DemoTile[];
}

/** `columns`: of 12. */
export interface DemoTile {
  readonly name: string;
  readonly description: string;
  readonly query: Json;
  readonly columns: 3 | 4 | 6 | 8 | 12;
}

/** An event in a series, counted by occurrences or as `extra` says. */
export function series(event: string, extra: Json = {}): Json {
  return { kind: 'EventsNode', event, name: event, ...extra };
}

export const byPersons = { math: 'dau' };
export const sumOf = (property: string): Json => ({ math: 'sum', math_property: property });

const insight = (source: Json): Json => ({ kind: 'InsightVizNode', source });

/** Trends of the last days, by day, unless `more` says another. */
export function trends(
  list: readonly Json[],
  display: string,
  more: Json & { trendsFilter?: Json } = {},
): Json {
  const { trendsFilter, ...rest } = more;
  return insight({
    kind: 'TrendsQuery',
    series: list,
    interval: 'day',
    dateRange: { date_from: '-90d' },
    ...rest,
    trendsFilter: { display, ...trendsFilter },
  });
}

export function number(list: readonly Json[], more: Json & { trendsFilter?: Json } = {}): Json {
  return trends(list, 'BoldNumber', {
    dateRange: { date_from: '-30d' },
    compareFilter: { compare: true },
    ...more,
  });
}

export const by = (
  breakdown: string,
  type: 'event' | 'person' | 'group' | 'session' = 'event',
  more: Json = {},
): Json => ({
  breakdownFilter: { breakdown, breakdown_type: type, ...more },
});

/** Steps within so many days. */
export function funnel(
  events: readonly string[],
  {
    days = 14,
    from = '-90d',
    viz = 'steps',
    ...more
  }: Json & { days?: number; from?: string; viz?: string } = {},
): Json {
  return insight({
    kind: 'FunnelsQuery',
    series: events.map((event) => series(event)),
    dateRange: { date_from: from },
    ...more,
    funnelsFilter: {
      funnelVizType: viz,
      funnelOrderType: 'ordered',
      funnelWindowInterval: days,
      funnelWindowIntervalUnit: 'day',
    },
  });
}

export function retention(
  target: string,
  returning: string,
  period: 'Day' | 'Week' | 'Month',
  totalIntervals: number,
): Json {
  const entity = (id: string): Json => ({ id, name: id, type: 'events' });
  return insight({
    kind: 'RetentionQuery',
    retentionFilter: {
      period,
      totalIntervals,
      retentionType: 'retention_first_time',
      targetEntity: entity(target),
      returningEntity: entity(returning),
    },
  });
}

export function lifecycle(event: string): Json {
  return insight({
    kind: 'LifecycleQuery',
    series: [series(event)],
    interval: 'week',
    dateRange: { date_from: '-90d' },
  });
}

export function stickiness(event: string): Json {
  return insight({
    kind: 'StickinessQuery',
    series: [series(event)],
    interval: 'day',
    dateRange: { date_from: '-30d' },
  });
}

export function paths(type: '$pageview' | '$screen' | 'custom_event', more: Json = {}): Json {
  return insight({
    kind: 'PathsQuery',
    dateRange: { date_from: '-14d' },
    pathsFilter: { includeEventTypes: [type], stepLimit: 5, edgeLimit: 40, ...more },
  });
}

export function sql(query: string): Json {
  return { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query } };
}

/** Half of all get each of `control` and `test`. */
export function experimentFlag(key: string, name: string): DemoFlag {
  const variants = ['control', 'test'].map((variant) => ({ key: variant, rollout_percentage: 50 }));
  return {
    key,
    name,
    isExperiment: true,
    filters: { groups: [{ properties: [], rollout_percentage: 100 }], multivariate: { variants } },
  };
}

export function rolloutFlag(
  key: string,
  name: string,
  percentage: number,
  properties: readonly Json[] = [],
): DemoFlag {
  return { key, name, filters: { groups: [{ properties, rollout_percentage: percentage }] } };
}

export const person = (key: string, value: unknown, operator = 'exact'): Json => ({
  type: 'person',
  key,
  value,
  operator,
});

/** Who did something in the last days. */
export function did(event: string, days: number, more: Json = {}): Json {
  return {
    type: 'behavioral',
    key: event,
    value: 'performed_event',
    event_type: 'events',
    time_value: days,
    time_interval: 'day',
    ...more,
  };
}

/** What a cohort's rule says: all of these hold. */
export function all(...values: readonly Json[]): Json {
  return { properties: { type: 'OR', values: [{ type: 'AND', values }] } };
}

/** The dashboard about answers of models and failures, which every product has. */
export function healthDashboard(description: string): DemoDashboard {
  return {
    name: 'Errors and AI',
    description,
    tiles: [
      { name: 'Exceptions per week', description: 'By type; the spikes are in the annotations.', columns: 8, query: trends([series('$exception')], 'ActionsBar', { ...by('$exception_type') , dateRange: { date_from: '-180d' }, interval: 'week' }) }, // prettier-ignore
      { name: 'Persons with an exception', description: 'In the last 30 days, and in the 30 days before.', columns: 4, query: number([series('$exception', byPersons)]) }, // prettier-ignore
      { name: 'Exceptions by cause', description: 'The latest message of each type and place.', columns: 12, query: sql("select properties.$exception_fingerprint as issue, count() as events, count(distinct person_id) as persons, max(timestamp) as last_seen from events where event = '$exception' and timestamp > now() - interval 90 day group by issue order by events desc limit 20") }, // prettier-ignore
      { name: 'Cost of AI calls', description: 'US dollars per week, by model.', columns: 6, query: trends([series('$ai_generation', sumOf('$ai_total_cost_usd'))], 'ActionsAreaGraph', { ...by('$ai_model'), interval: 'week', dateRange: { date_from: '-180d' } }) }, // prettier-ignore
      { name: 'Latency of AI calls', description: 'Median and 95th percentile in seconds.', columns: 6, query: trends([series('$ai_generation', { math: 'median', math_property: '$ai_latency', custom_name: 'Median' }), series('$ai_generation', { math: 'p95', math_property: '$ai_latency', custom_name: '95th percentile' })], 'ActionsLineGraph', { dateRange: { date_from: '-30d' } }) }, // prettier-ignore
      { name: 'Tokens of an answer', description: 'Their distribution per week.', columns: 6, query: trends([series('$ai_generation', { math_property: '$ai_output_tokens' })], 'BoxPlot', { interval: 'week', dateRange: { date_from: '-60d' } }) }, // prettier-ignore
      { name: 'Failed AI calls', description: 'Share of calls that had no answer.', columns: 6, query: trends([series('$ai_generation', { properties: [{ type: 'event', key: '$ai_is_error', value: ['true'], operator: 'exact' }] }), series('$ai_generation')], 'ActionsLineGraph', { dateRange: { date_from: '-60d' }, interval: 'week', trendsFilter: { formula: '100 * A / B' } }) }, // prettier-ignore
    ],
  };
}
