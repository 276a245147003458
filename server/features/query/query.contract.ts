import { z } from 'zod';
import {
  funnelsQuery,
  lifecycleQuery,
  pathsQuery,
  retentionQuery,
  stickinessQuery,
  trendsQuery,
} from './kinds/insight-kinds.contract.ts';
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

/** Every query that asks for data (management contract 9.9, 9.9.2), by its kind. */
export const QUERY_KINDS = {
  ...INSIGHT_KINDS,
  HogQLQuery: hogqlQuery,
  EventsQuery: eventsQuery,
  ActorsQuery: actorsQuery,
  PersonsQuery: actorsQuery,
} as const;

const display = z.looseObject({}).nullish();

/** Wraps a query of an insight with how it is shown. */
const insightVizNode = z.looseObject({
  kind: z.literal('InsightVizNode'),
  source: z.discriminatedUnion('kind', [
    trendsQuery,
    funnelsQuery,
    retentionQuery,
    pathsQuery,
    stickinessQuery,
    lifecycleQuery,
  ]),
  vizSpecificOptions: display,
});

/** Shows rows. */
const dataTableNode = z.looseObject({
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
  columns: z.array(z.string()).nullish(),
});

/** Shows the answer of SQL as a table or a chart. */
const dataVisualizationNode = z.looseObject({
  kind: z.literal('DataVisualizationNode'),
  source: hogqlQuery,
  display: z.string().nullish(),
  chartSettings: display,
  tableSettings: display,
});

/** Nodes that only wrap a query with how its answer is shown, by their kind. */
export const WRAPPER_KINDS = {
  InsightVizNode: insightVizNode,
  DataTableNode: dataTableNode,
  DataVisualizationNode: dataVisualizationNode,
} as const;

/** Any node that can be stored or asked. Keys that no schema names are kept as they are. */
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
