import { z } from 'zod';
import {
  funnelsQuery,
  lifecycleQuery,
  pathsQuery,
  retentionQuery,
  stickinessQuery,
  trendsQuery,
} from './kinds/insight-kinds.contract.ts';
import { describe, ON_EVERY_NODE } from './kinds/query-object.contract.ts';
import { actorsQuery, eventsQuery, hogqlQuery } from './kinds/table-kinds.contract.ts';

/** The queries that draw an insight, by their kind. */
export const INSIGHT_KINDS = {
  TrendsQuery: trendsQuery,
  FunnelsQuery: funnelsQuery,
  RetentionQuery: retentionQuery,
  PathsQuery: pathsQuery,
  StickinessQuery: stickinessQuery,
  LifecycleQuery: lifecycleQuery,
} as const;

/** Every query that returns data (management contract 9.9, 9.9.2), by its kind. */
export const QUERY_KINDS = {
  ...INSIGHT_KINDS,
  HogQLQuery: hogqlQuery,
  EventsQuery: eventsQuery,
  ActorsQuery: actorsQuery,
  PersonsQuery: actorsQuery,
} as const;

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

/** Wraps a query of an insight with how it is shown. */
const insightVizNode = describe(
  z.looseObject({
    kind: z.literal('InsightVizNode'),
    source: z.discriminatedUnion('kind', [
      trendsQuery,
      funnelsQuery,
      retentionQuery,
      pathsQuery,
      stickinessQuery,
      lifecycleQuery,
    ]),
  }),
  { name: 'InsightVizNode', withoutEffect: [...ON_EVERY_NODE, ...INSIGHT_VIZ_DISPLAY] },
);

/** Shows rows. */
const dataTableNode = describe(
  z.looseObject({
    kind: z.literal('DataTableNode'),
    source: z.discriminatedUnion('kind', [
      hogqlQuery,
      eventsQuery,
      actorsQuery,
      trendsQuery,
      funnelsQuery,
      retentionQuery,
      pathsQuery,
      stickinessQuery,
      lifecycleQuery,
    ]),
  }),
  { name: 'DataTableNode', withoutEffect: [...ON_EVERY_NODE, ...TABLE_DISPLAY] },
);

/** Shows the answer of SQL as a table or a chart. */
const dataVisualizationNode = describe(
  z.looseObject({
    kind: z.literal('DataVisualizationNode'),
    source: hogqlQuery,
  }),
  {
    name: 'DataVisualizationNode',
    withoutEffect: [...ON_EVERY_NODE, 'display', 'chartSettings', 'tableSettings'],
  },
);

/** Nodes that only wrap a query with how its answer is shown, by their kind. */
export const WRAPPER_KINDS = {
  InsightVizNode: insightVizNode,
  DataTableNode: dataTableNode,
  DataVisualizationNode: dataVisualizationNode,
} as const;

/** Any node that can be stored or run. Unknown keys are preserved. */
export const queryNode = z.discriminatedUnion('kind', [
  insightVizNode,
  dataTableNode,
  dataVisualizationNode,
  trendsQuery,
  funnelsQuery,
  retentionQuery,
  pathsQuery,
  stickinessQuery,
  lifecycleQuery,
  hogqlQuery,
  eventsQuery,
  actorsQuery,
]);
export type QueryNode = z.output<typeof queryNode>;
