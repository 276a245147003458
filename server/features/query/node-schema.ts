import { compilePattern } from '../../conditions/index.ts';
import { z } from 'zod';
import { laxBoolean, laxInteger, laxNumber } from '../../http/lax-fields.contract.ts';
import { OPERATORS } from '../../conditions/operators.contract.ts';

/** What becomes of the fields of an object that its schema does not read (amendment A-1). */
interface ObjectFields {
  /** How errors call it. */
  readonly name: string;
  /** Accepted, and without effect on numbers: `docs/contract/accepted-without-effect.md` lists each. */
  readonly withoutEffect?: readonly string[];
  /** Fields of PostHog's schema that are not implemented. */
  readonly notSupported?: readonly string[];
}

/** Objects of queries and filters. */
export const queryObjects = z.registry<ObjectFields>();
/** Values that a schema reads and that are not implemented. */
export const refusedValues = z.registry<{ isRefused(value: unknown): boolean }>();
/** What the reader of a value demands of it beyond its type. */
export const valueRules = z.registry<{ problemOf(value: unknown): string | null }>();
/**
 * Fields that hold another query, whose schema follows from its kind; also a point of an insight where `withPoint` is
 * true.
 */
export const nestedQueries = z.registry<{ withPoint: boolean }>();

/** Defines what happens to fields that are not in a schema. A field that is not listed here is refused. */
export function describe<S extends z.ZodType>(schema: S, fields: ObjectFields): S {
  queryObjects.add(schema, fields);
  return schema;
}

/** The same schema, some of whose values new queries may not have. */
export function refusing<S extends z.ZodType>(schema: S, isRefused: (value: unknown) => boolean): S {
  refusedValues.add(schema, { isRefused });
  return schema;
}

/** The same schema, some of whose values its reader refuses: `problemOf` says why, null where it does not. */
export function withRule<S extends z.ZodType>(schema: S, problemOf: (value: unknown) => string | null): S {
  valueRules.add(schema, { problemOf });
  return schema;
}

const UNREADABLE_PATTERN = 'is not valid: RE2 syntax is required, without lookarounds.';

/** Why a value is no regular expression; null: it is one. */
export function patternProblem(value: unknown): string | null {
  return typeof compilePattern(String(value)) === 'string' ? UNREADABLE_PATTERN : null;
}

/** A query in another one. */
export function nestedQuery({ withPoint }: { withPoint: boolean }) {
  const schema = z.looseObject({ kind: z.string() });
  nestedQueries.add(schema, { withPoint });
  return schema;
}

/** What every node of PostHog has beside its own fields, and what changes no number. */
export const ON_EVERY_NODE = [
  'version',
  'tags',
  'modifiers',
  'response',
  'name',
  'limit_context',
  'client_query_id',
];

/** The types of property filters (management contract 9.9), also those that are not supported. */
export const LEAF_TYPES = [
  'event',
  'event_metadata',
  'internal_event',
  'person',
  'person_metadata',
  'element',
  'session',
  'cohort',
  'static-cohort',
  'dynamic-cohort',
  'precalculated-cohort',
  'behavioral',
  'group',
  'feature',
  'flag',
  'action',
  'hogql',
  'recording',
  'log',
  'log_entry',
  'log_attribute',
  'log_resource_attribute',
  'span',
  'span_attribute',
  'data_warehouse',
  'data_warehouse_person_property',
  'error_tracking_issue',
  'revenue_analytics',
  'workflow_variable',
  'meta',
  'empty',
] as const;

/** Operators of filters of queries; the last one is of flags alone. */
export const QUERY_OPERATORS = [...OPERATORS, 'flag_evaluates_to'] as const;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

const propertyLeaf = describe(
  z.looseObject({
    key: z.union([z.string(), z.number()]),
    type: z.enum(LEAF_TYPES).nullish(),
    operator: z.enum(QUERY_OPERATORS).nullish(),
    value: z.union([scalar, z.array(scalar), z.null()]).optional(),
    group_type_index: laxInteger(z.int().min(0).max(4)).nullish(),
    /** Of cohorts. */
    negation: laxBoolean().nullish(),
  }),
  // PostHog's console writes them beside what it compares; they are shown.
  { name: 'filter', withoutEffect: ['label', 'cohort_name', 'group_key_names'] },
);

const leaves = z.array(propertyLeaf);

/** All or one of its values must hold; a value is a leaf or another group. */
const propertyGroup = z.looseObject({
  type: z.enum(['AND', 'OR']),
  get values(): z.ZodArray<z.ZodUnion<[typeof propertyGroup, typeof propertyLeaf]>> {
    return z.array(z.union([propertyGroup, propertyLeaf]));
  },
});
describe(propertyGroup, { name: 'group of filters' });

/** Filters of a series or of an actor list: all must hold. */
export const propertyList = leaves;
/** Fixed filters of a table: leaves and groups, all of which must hold. */
export const filterList = z.array(z.union([propertyGroup, propertyLeaf]));
/** Filters of a whole query: a list, all of which must hold, or a group. */
export const propertyNodes = z.union([leaves, propertyGroup]);
export type PropertyLeafNode = z.output<typeof propertyLeaf>;

export const INTERVALS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export const interval = z.enum(INTERVALS);

/** How a chart shows its numbers. */
export const DISPLAYS = [
  'ActionsLineGraph',
  'ActionsLineGraphCumulative',
  'ActionsAreaGraph',
  'ActionsBar',
  'ActionsStackedBar',
  'ActionsUnstackedBar',
  'ActionsBarValue',
  'ActionsPie',
  'ActionsTable',
  'BoldNumber',
  'WorldMap',
  'SlopeGraph',
  'CalendarHeatmap',
  'TwoDimensionalHeatmap',
  'BoxPlot',
  'Auto',
] as const;
/** Displays of PostHog that need an answer of their own, or that belong to SQL. */
const DISPLAYS_NOT_SUPPORTED: ReadonlySet<unknown> = new Set(['TwoDimensionalHeatmap']);
export const display = refusing(z.enum(DISPLAYS), (value) => DISPLAYS_NOT_SUPPORTED.has(value));

/** Dates as text; the reader refuses invalid ones. */
export const dateFrom = z.string();
export const dateTo = z.string();
export const compareTo = z.string();

const DATES = {
  date_from: dateFrom.nullish(),
  date_to: dateTo.nullish(),
  explicitDate: laxBoolean().nullish(),
  excludeIncompletePeriods: laxBoolean().nullish(),
};

/** ISO dates, relative ones such as `-7d`, or `all`; null as the end is now. */
export const dateRange = describe(z.looseObject(DATES), {
  name: 'dateRange',
  notSupported: ['daysOfWeek', 'interval'],
});

/** The same, of some days of the week, from 1 for Monday to 7; an empty list is all days. */
export const dateRangeOfDays = describe(
  z.looseObject({ ...DATES, daysOfWeek: z.array(laxInteger(z.int().min(1).max(7))).nullish() }),
  { name: 'dateRange', notSupported: ['interval'] },
);

const groupTypeIndex = laxInteger(z.int().min(0).max(4)).nullish();
const breakdownKey = z.union([z.string(), z.int()]);

const breakdownItem = describe(
  z.looseObject({
    property: breakdownKey,
    type: z.string().nullish(),
    group_type_index: groupTypeIndex,
    normalize_url: laxBoolean().nullish(),
    histogram_bin_count: laxInteger(z.int()).nullish(),
  }),
  { name: 'breakdown' },
);

export const breakdownFilter = describe(
  z.looseObject({
    breakdown: z.union([breakdownKey, z.array(breakdownKey)]).nullish(),
    breakdown_type: z.string().nullish(),
    breakdown_limit: laxInteger(z.int().min(1)).nullish(),
    breakdown_group_type_index: groupTypeIndex,
    breakdown_normalize_url: laxBoolean().nullish(),
    breakdown_histogram_bin_count: laxInteger(z.int().min(1)).nullish(),
    breakdown_hide_other_aggregation: laxBoolean().nullish(),
    /** Texts are cleaned by the rules that a project has for paths. */
    breakdown_path_cleaning: laxBoolean().nullish(),
    breakdowns: z.array(breakdownItem).nullish(),
  }),
  { name: 'breakdownFilter', notSupported: ['breakdown_value'] },
);

export const compareFilter = describe(
  z.looseObject({ compare: laxBoolean().nullish(), compare_to: compareTo.nullish() }),
  { name: 'compareFilter' },
);

/** What the queries that draw insights have in common (management contract 9.9). */
export const insightShape = {
  dateRange: dateRange.nullish(),
  properties: propertyNodes.nullish(),
  filterTestAccounts: laxBoolean().nullish(),
  samplingFactor: laxNumber(z.number()).nullish(),
};

/** Whom those count that do not say it by their math. */
export const aggregationShape = { aggregation_group_type_index: groupTypeIndex };

/** Fields that all of them accept without effect: colours are those of the console. */
export const INSIGHT_WITHOUT_EFFECT = [...ON_EVERY_NODE, 'dataColorTheme'];
/** What PostHog has for all of them, or for others of them. */
export const INSIGHT_NOT_SUPPORTED = ['excludeIncompletePeriods', 'conversionGoal', 'calendarHeatmapFilter'];

/** They are computed of the values of a property. */
const PROPERTY_MATHS = ['avg', 'sum', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

/** How the events of a series are counted (management contract 9.9). */
export const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'first_time_for_user',
  'first_time_for_user_with_filters',
  'first_matching_event_for_user',
  'unique_group',
  'hogql',
  ...PROPERTY_MATHS,
  ...PROPERTY_MATHS.filter((name) => name !== 'sum').map((name) => `${name}_count_per_actor`),
] as const;

type Math = (typeof MATHS)[number];

/** `counted`: the ways of counting that the kind of the query computes; others are refused. */
function seriesShape(counted: readonly Math[]) {
  const isCounted = new Set<unknown>(counted);
  return {
    custom_name: z.string().nullish(),
    math: refusing(z.enum(MATHS), (math) => !isCounted.has(math)).nullish(),
    math_property: z.string().nullish(),
    math_property_type: z.string().nullish(),
    math_hogql: z.string().nullish(),
    math_group_type_index: laxInteger(z.int().min(0).max(4)).nullish(),
    math_multiplier: laxNumber(z.number()).nullish(),
    properties: propertyList.nullish(),
    fixedProperties: propertyList.nullish(),
    name: z.string().nullish(),
  };
}

export const OF_PROPERTIES = ['math_property', 'math_property_type', 'math_hogql', 'math_multiplier'];
const OF_GROUPS = ['math_group_type_index'];
const NOT_SUPPORTED = ['math_property_revenue_currency', 'orderBy', 'limit'];

interface SeriesFields<M extends z.ZodRawShape> {
  /** Fields that would change nothing in this kind of query. */
  readonly unused: readonly string[];
  /** Fields that only this kind has. */
  readonly alone: M;
}

/** Schemas of the series of a kind of query. */
export function seriesOf<M extends z.ZodRawShape>(counted: readonly Math[], options: SeriesFields<M>) {
  return z.discriminatedUnion('kind', entitiesOf(counted, options));
}

/** The same, also with several events or actions as one series. */
export function seriesOrGroupOf<M extends z.ZodRawShape>(counted: readonly Math[], options: SeriesFields<M>) {
  const shape = { ...seriesShape(counted), ...options.alone };
  const group = z.looseObject({
    kind: z.literal('GroupNode'),
    operator: z.enum(['AND', 'OR']),
    nodes: z.array(groupedNode).min(1),
    ...shape,
  });
  return z.discriminatedUnion('kind', [
    ...entitiesOf(counted, options),
    withRule(describe(group, { name: 'GroupNode', ...fieldsOf(options) }), groupProblem),
  ]);
}

function fieldsOf({ unused, alone }: SeriesFields<z.ZodRawShape>) {
  return {
    // Without one of several ways of counting, there is nothing to choose.
    withoutEffect: [...ON_EVERY_NODE, ...(unused.includes('math_group_type_index') ? ['math'] : [])],
    notSupported: [...NOT_SUPPORTED, ...unused, 'optionalInFunnel', 'holdConstant'].filter(
      (name) => !Object.hasOwn(alone, name),
    ),
  };
}

function entitiesOf<M extends z.ZodRawShape>(counted: readonly Math[], options: SeriesFields<M>) {
  const shape = { ...seriesShape(counted), ...options.alone };
  const fields = fieldsOf(options);
  const events = z.looseObject({ kind: z.literal('EventsNode'), event: z.string().nullish(), ...shape });
  const action = z.looseObject({ kind: z.literal('ActionsNode'), id: laxInteger(z.int()), ...shape });
  return [
    /** Events of one name; null: of any. */
    withRule(describe(events, { name: 'EventsNode', ...fields }), mathProblem),
    /** Events that match an action. */
    withRule(describe(action, { name: 'ActionsNode', ...fields }), mathProblem),
  ] as const;
}

/** What a group holds: the group says how it is counted. */
const grouped = {
  properties: propertyList.nullish(),
  fixedProperties: propertyList.nullish(),
  name: z.string().nullish(),
};
const GROUPED = [
  ...ON_EVERY_NODE,
  'custom_name',
  'math',
  'math_property',
  'math_property_type',
  'math_hogql',
  'math_group_type_index',
  'math_multiplier',
];
const groupedNode = z.discriminatedUnion('kind', [
  describe(z.looseObject({ kind: z.literal('EventsNode'), event: z.string().nullish(), ...grouped }), {
    name: 'EventsNode of a group',
    withoutEffect: GROUPED,
  }),
  describe(z.looseObject({ kind: z.literal('ActionsNode'), id: laxInteger(z.int()), ...grouped }), {
    name: 'ActionsNode of a group',
    withoutEffect: GROUPED,
  }),
]);

/** Why a group is refused: one event cannot be two. */
export function groupProblem(value: unknown): string | null {
  const { operator, nodes = [] } = value as { operator?: unknown; nodes?: readonly unknown[] };
  if (operator === 'AND' && nodes.length > 1) {
    return 'the operator AND of a GroupNode with several nodes is not supported, as one event cannot be two.';
  }
  return mathProblem(value);
}

function mathProblem(value: unknown): string | null {
  const series = value as Partial<SeriesNode>;
  const missing = missingOfMath(series);
  return missing === null ? null : `the math ${String(series.math)} requires ${missing}.`;
}

export const seriesNode = seriesOrGroupOf(MATHS, { unused: [], alone: {} });
export type SeriesNode = z.output<typeof seriesNode>;

export const PERSONS = ['total', 'dau'] as const;
export const UNUSED = [...OF_PROPERTIES, ...OF_GROUPS];

export const flag = laxBoolean().nullish();
export const count = laxInteger(z.int()).nullish();
export const positive = laxInteger(z.int().min(1)).nullish();

/** Display options that several kinds share. */
export const SHARED_DISPLAY = [
  'showLegend',
  'legendPosition',
  'showValuesOnSeries',
  'showAnnotations',
  'goalLines',
];
export const CUSTOMIZED = ['resultCustomizationBy', 'resultCustomizations'];

export const texts = z.array(z.string());
/** Each piece of HogQL is parsed by itself: more of them are a mistake or an attack. */
const MOST_EXPRESSIONS = 1_000;
export const expressions = z.array(z.string()).max(MOST_EXPRESSIONS);
export const pageFields = {
  limit: laxInteger(z.int().min(0)).nullish(),
  offset: laxInteger(z.int().min(0)).nullish(),
};

export const sourceQuery = nestedQuery({ withPoint: true });

/** The field without which the math of a series cannot be computed; null: none is missing. */
export function missingOfMath(
  series: Partial<Pick<SeriesNode, 'math' | 'math_property' | 'math_hogql' | 'math_group_type_index'>>,
): string | null {
  const { math, math_property: property, math_hogql: text, math_group_type_index: index } = series;
  if (math === 'unique_group') return (index ?? null) === null ? 'math_group_type_index' : null;
  if (math === 'hogql') return text ? null : 'math_hogql';
  const isOfProperty = (PROPERTY_MATHS as readonly unknown[]).includes(math);
  return isOfProperty && !property ? 'math_property' : null;
}

const pointValue = z.union([z.string(), z.number()]);

/** The fields of a point of an insight that several kinds have. */
export const pointShape = {
  /** The series, by its place from 0. */
  series: laxInteger(z.int().min(0)).nullish(),
  /** The beginning of the interval, or the place where a kind counts them. */
  day: pointValue.nullish(),
  /** Value of the breakdown, or values of several. */
  breakdown: breakdownValue(),
  compare: z.enum(['current', 'previous']).nullish(),
};

export type PointShape = typeof pointShape;

/** A point of an insight whose persons are listed; `P`: the fields that its kind alone has. */
export type ActorsPoint<P extends z.ZodRawShape = PointShape> = z.output<z.ZodObject<PointShape & P>>;

/** Value of a breakdown, or values of several, as a point names them. */
export function breakdownValue() {
  return z.union([pointValue, z.array(pointValue)]).nullish();
}

/** Filters with which a dashboard, or a tile, overrides those of its queries (management contract 3.4). */
export const dashboardFilters = describe(
  z.looseObject({
    date_from: dateFrom.nullish(),
    date_to: dateTo.nullish(),
    explicitDate: laxBoolean().nullish(),
    properties: propertyNodes.nullish(),
    breakdown_filter: breakdownFilter.nullish(),
  }),
  { name: 'filters', notSupported: ['interval', 'filterTestAccounts', 'filter_test_accounts'] },
);
