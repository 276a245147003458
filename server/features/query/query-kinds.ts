import { z } from 'zod';
import { fail } from '../../errors.ts';
import { actorsKind, actorsPointKind, personsKind } from './kinds/actors/index.ts';
import { actorsOptionsKind } from './kinds/actors-options/index.ts';
import { correlationKind } from './kinds/correlation/index.ts';
import { databaseSchemaKind } from './kinds/database-schema/index.ts';
import { eventsKind } from './kinds/events/index.ts';
import { funnelsKind } from './kinds/funnels/index.ts';
import { hogqlKind } from './kinds/hogql/index.ts';
import { hogqlMetadataKind } from './kinds/hogql-metadata/index.ts';
import { lifecycleKind } from './kinds/lifecycle/index.ts';
import { pathsKind } from './kinds/paths/index.ts';
import { retentionKind } from './kinds/retention/index.ts';
import { stickinessKind } from './kinds/stickiness/index.ts';
import { trendsKind } from './kinds/trends/index.ts';
import {
  webExternalClicksKind,
  webGoalsKind,
  webOverviewKind,
  webPageUrlsKind,
  webStatsTableKind,
  webVitalsKind,
  webVitalsPathsKind,
} from './kinds/web-analytics/index.ts';
import { describe, nestedQuery, ON_EVERY_NODE, pointShape } from './node-schema.ts';
import type { QueryKind } from './query-kind.ts';

/** Every kind of query that can be answered (management contract 9.9, 9.9.2), one line each. */
const KINDS: readonly QueryKind[] = [
  trendsKind,
  funnelsKind,
  retentionKind,
  pathsKind,
  stickinessKind,
  lifecycleKind,
  correlationKind,
  hogqlKind,
  eventsKind,
  actorsKind,
  personsKind,
  webOverviewKind,
  webStatsTableKind,
  webGoalsKind,
  webExternalClicksKind,
  webPageUrlsKind,
  webVitalsKind,
  webVitalsPathsKind,
  hogqlMetadataKind,
  databaseSchemaKind,
  actorsOptionsKind,
];

function schemasOf(role: QueryKind['role']): Readonly<Record<string, z.ZodType>> {
  const kinds = KINDS.filter((kind) => kind.role === role);
  return Object.fromEntries(kinds.map(({ kind, schema }) => [kind, schema]));
}

/** Schemas of the queries that draw an insight, by their kind. */
export const INSIGHT_KINDS = schemasOf('insight');

/** Schemas of every query that returns data, by their kind. */
export const QUERY_KINDS = { ...INSIGHT_KINDS, ...schemasOf('table') };

/** The older format of insights, by its name of the kind: `TRENDS`. */
export const LEGACY_KINDS = KINDS.flatMap(({ kind, legacy }) =>
  legacy === undefined ? [] : [{ kind, ...legacy }],
);

/** One of several nodes, by its kind. */
function anyOf(...schemas: readonly Readonly<Record<string, z.ZodType>>[]) {
  const options = new Set(schemas.flatMap((one) => Object.values(one)));
  return z.discriminatedUnion('kind', [...options] as unknown as [
    z.ZodObject<{ kind: z.ZodLiteral<string> }>,
  ]);
}

/** What is shown around an insight. */
const INSIGHT_VIZ_DISPLAY = [
  'full',
  'showHeader',
  'showTable',
  'showCorrelationTable',
  'showLastComputation',
  'showLastComputationRefresh',
  'showFilters',
  'showResults',
  'embedded',
  'suppressSessionAnalysisWarning',
  'hidePersonsModal',
  'hideTooltipOnScroll',
  'vizSpecificOptions',
];

/** What is shown of a table, and around it. */
const TABLE_DISPLAY = [
  'columns',
  'display',
  'hiddenColumns',
  'pinnedColumns',
  'full',
  'showEventFilter',
  'showEventsFilter',
  'showSearch',
  'showPropertyFilter',
  'showTestAccountFilters',
  'showHogQLEditor',
  'showActions',
  'showRecordingColumn',
  'showDateRange',
  'showExport',
  'showReload',
  'showCount',
  'showElapsedTime',
  'showTimings',
  'showColumnConfigurator',
  'showPersistentColumnConfigurator',
  'contextKey',
  'showSavedQueries',
  'showSavedFilters',
  'showTableViews',
  'showAbsoluteTime',
  'expandable',
  'propertiesViaUrl',
  'allowSorting',
  'showOpenEditorButton',
  'showResultsTable',
  'showSourceQueryOptions',
  'embedded',
  'context',
  'defaultColumns',
];

/** Nodes that only wrap a query with how its result is shown, by their kind. */
export const WRAPPER_KINDS = {
  InsightVizNode: describe(
    z.looseObject({ kind: z.literal('InsightVizNode'), source: anyOf(INSIGHT_KINDS) }),
    { name: 'InsightVizNode', withoutEffect: [...ON_EVERY_NODE, ...INSIGHT_VIZ_DISPLAY] },
  ),
  DataTableNode: describe(
    z.looseObject({ kind: z.literal('DataTableNode'), source: anyOf(schemasOf('table'), INSIGHT_KINDS) }),
    { name: 'DataTableNode', withoutEffect: [...ON_EVERY_NODE, ...TABLE_DISPLAY] },
  ),
  DataVisualizationNode: describe(
    z.looseObject({ kind: z.literal('DataVisualizationNode'), source: hogqlKind.schema }),
    {
      name: 'DataVisualizationNode',
      withoutEffect: [...ON_EVERY_NODE, 'display', 'chartSettings', 'tableSettings'],
    },
  ),
} as const;

/** Any node that can be stored. Unknown keys are preserved. */
export const queryNode = anyOf(WRAPPER_KINDS, QUERY_KINDS);

/** The point of an insight whose persons to list; which fields matter depends on the kind of the insight. */
export const actorsPoint = z.looseObject(
  KINDS.reduce<z.ZodRawShape>((shape, { point }) => ({ ...shape, ...point }), pointShape),
);

/** Kinds that pick a point of the insight that they carry in `source`. */
const POINT_KINDS = ['InsightActorsQuery', ...KINDS.flatMap(({ pointKind }) => pointKind ?? [])];

/** A point with its insight, as the source of a list of actors. */
const actorsPointQuery = describe(
  actorsPoint.extend({ kind: z.enum(POINT_KINDS), source: nestedQuery({ withPoint: false }) }),
  {
    name: 'InsightActorsQuery',
    withoutEffect: ON_EVERY_NODE,
    notSupported: ['includeRecordings'],
  },
);

const BY_NAME: ReadonlyMap<string, QueryKind> = new Map(
  [...KINDS, ...POINT_KINDS.map((kind) => actorsPointKind(kind, actorsPointQuery))].map((kind) => [
    kind.kind,
    kind,
  ]),
);

export function kindNamed(name: string): QueryKind | undefined {
  return BY_NAME.get(name);
}

/** The kind of this name. Throws invalid_input, with the names of those that are there. */
export function findKind(name: unknown): QueryKind {
  const kind = typeof name === 'string' ? BY_NAME.get(name) : undefined;
  if (kind !== undefined) return kind;
  const names = [...BY_NAME.keys(), ...Object.keys(WRAPPER_KINDS)].toSorted().join(', ');
  const problem =
    typeof name === 'string' ? `Unknown query kind '${name.slice(0, 60)}'.` : 'A query requires a `kind`.';
  throw fail('invalid_input', { detail: `${problem} Supported kinds: ${names}.` });
}

/** Whether a node picks a point of the insight in its `source`. */
export function isPoint(kind: string): boolean {
  return POINT_KINDS.includes(kind);
}

/** Schemas of all nodes that a query can contain, by their kind. */
export const NODE_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...QUERY_KINDS,
  ...WRAPPER_KINDS,
  ...schemasOf('tool'),
  ...Object.fromEntries(POINT_KINDS.map((kind) => [kind, actorsPointQuery])),
};
