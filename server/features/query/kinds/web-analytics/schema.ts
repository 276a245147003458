import { z } from 'zod';
import { laxInteger } from '../../../../http/lax-fields.contract.ts';
import {
  compareFilter,
  dateRange,
  describe,
  flag,
  interval,
  ON_EVERY_NODE,
  pageFields,
  propertyList,
  propertyNodes,
  sourceQuery,
  withRule,
} from '../../node-schema.ts';

/** What visitors are meant to do: an action or an event. */
const conversionGoal = withRule(
  describe(
    z.looseObject({
      actionId: laxInteger(z.int()).nullish(),
      customEventName: z.string().nullish(),
      properties: propertyList.nullish(),
    }),
    { name: 'conversionGoal' },
  ),
  (goal) => {
    const { actionId, customEventName } = goal as { actionId?: unknown; customEventName?: unknown };
    const isEither =
      (actionId ?? null) === null ? typeof customEventName === 'string' : (customEventName ?? null) === null;
    return isEither ? null : 'requires either actionId or customEventName.';
  },
);

/** By what tables can be sorted, as far as they have the column. */
export const ORDERS = [
  'Visitors',
  'Views',
  'AvgTimeOnPage',
  'Clicks',
  'BounceRate',
  'AverageScrollPercentage',
  'ScrollGt80Percentage',
  'TotalConversions',
  'UniqueConversions',
  'ConversionRate',
  'ConvertingUsers',
  'RageClicks',
  'DeadClicks',
  'Errors',
] as const;

/** What every query has. */
const scopeFields = {
  dateRange: dateRange.nullish(),
  properties: propertyNodes.nullish(),
  filterTestAccounts: flag,
  interval: interval.nullish(),
};
/** What PostHog accepts with every query, and some of them read. */
const optionalFields = {
  compareFilter: compareFilter.nullish(),
  doPathCleaning: flag,
  conversionGoal: conversionGoal.nullish(),
  orderBy: z.tuple([z.enum(ORDERS), z.enum(['ASC', 'DESC'])]).nullish(),
};
type OptionalField = keyof typeof optionalFields;
/** A query that may have them. */
export type WebQuery = z.output<z.ZodObject<typeof scopeFields>> &
  Partial<z.output<z.ZodObject<typeof optionalFields>>>;

/** Every number is exact, and computed from events. */
const WITHOUT_EFFECT = [
  ...ON_EVERY_NODE,
  'sampling',
  'samplingFactor',
  'useSessionsTable',
  'useWebAnalyticsPrecompute',
  'dataColorTheme',
  'aggregation_group_type_index',
];

function webQuery<K extends string, O extends OptionalField, S extends z.ZodRawShape>(
  kind: K,
  read: readonly O[],
  shape: S,
) {
  const optional = Object.fromEntries(read.map((name) => [name, optionalFields[name]])) as Pick<
    typeof optionalFields,
    O
  >;
  const unread = Object.keys(optionalFields).filter((name) => !(read as readonly string[]).includes(name));
  return describe(z.looseObject({ kind: z.literal(kind), ...scopeFields, ...optional, ...shape }), {
    name: kind,
    withoutEffect: [...WITHOUT_EFFECT, ...unread],
    notSupported: ['includeRevenue'],
  });
}

export const BREAKDOWNS = [
  'Page',
  'InitialPage',
  'ExitPage',
  'ExitClick',
  'PreviousPage',
  'ScreenName',
  'InitialChannelType',
  'InitialReferringDomain',
  'InitialReferringURL',
  'InitialUTMSource',
  'InitialUTMMedium',
  'InitialUTMCampaign',
  'InitialUTMTerm',
  'InitialUTMContent',
  'InitialUTMSourceMediumCampaign',
  'Browser',
  'OS',
  'DeviceType',
  'Viewport',
  'Country',
  'Region',
  'City',
  'Timezone',
  'Language',
  'FrustrationMetrics',
] as const;

export const overviewQuery = webQuery('WebOverviewQuery', ['compareFilter', 'conversionGoal'], {});
export const statsTableQuery = webQuery(
  'WebStatsTableQuery',
  ['compareFilter', 'conversionGoal', 'doPathCleaning', 'orderBy'],
  {
    breakdownBy: z.enum(BREAKDOWNS),
    includeBounceRate: flag,
    includeScrollDepth: flag,
    includeAvgTimeOnPage: flag,
    includeHost: flag,
    ...pageFields,
  },
);
export const goalsQuery = webQuery('WebGoalsQuery', ['compareFilter', 'orderBy'], {
  limit: laxInteger(z.int().min(1)).nullish(),
});
export const externalClicksQuery = webQuery('WebExternalClicksTableQuery', ['compareFilter', 'orderBy'], {
  stripQueryParams: flag,
  ...pageFields,
});
export const pageUrlsQuery = webQuery('WebPageURLSearchQuery', [], {
  searchTerm: z.string().nullish(),
  stripQueryParams: flag,
  limit: pageFields.limit,
});
/** The query that it wraps has dates and filters of its own. */
export const vitalsQuery = describe(
  z.looseObject({ kind: z.literal('WebVitalsQuery'), source: sourceQuery }),
  {
    name: 'WebVitalsQuery',
    withoutEffect: [...WITHOUT_EFFECT, ...Object.keys(scopeFields), ...Object.keys(optionalFields)],
  },
);
export const vitalsPathsQuery = webQuery('WebVitalsPathBreakdownQuery', ['doPathCleaning'], {
  metric: z.enum(['INP', 'LCP', 'CLS', 'FCP']),
  percentile: z.enum(['p75', 'p90', 'p99']),
  /** Values up to the first are good, those above the second are poor. */
  thresholds: z.tuple([z.number(), z.number()]),
});

export type StatsTableQuery = z.output<typeof statsTableQuery>;
export type GoalsQuery = z.output<typeof goalsQuery>;
export type ExternalClicksQuery = z.output<typeof externalClicksQuery>;
export type PageUrlsQuery = z.output<typeof pageUrlsQuery>;
export type VitalsQuery = z.output<typeof vitalsQuery>;
export type VitalsPathsQuery = z.output<typeof vitalsPathsQuery>;
