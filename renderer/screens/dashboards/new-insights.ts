import {
  ChartArea,
  ChartColumn,
  ChartColumnStacked,
  ChartLine,
  ChartPie,
  Earth,
  Filter,
  Grid3x3,
  Hash,
  Route,
  Table,
  Terminal,
} from '@lucide/vue';
import type { Component } from 'vue';
import type { QueryNode } from '../../../server/features/query/query.contract.ts';

/** A kind of tile that can be begun with, and the query that it begins with. */
export interface NewInsightKind {
  id: string;
  label: string;
  icon: Component;
  query: QueryNode;
  isNumber?: boolean;
}

const ANY = { kind: 'EventsNode', event: null };
const PERSONS = { ...ANY, math: 'dau' };
const RANGE = { dateRange: { date_from: '-30d' } };
const ENTITY = { id: null, type: 'events' };

function wrapped(source: QueryNode): QueryNode {
  return { kind: 'InsightVizNode', source };
}

/** Trends by day, drawn in a way. */
function drawn(display: string, rest: object = {}): QueryNode {
  return wrapped({
    kind: 'TrendsQuery',
    series: [ANY],
    interval: 'day',
    trendsFilter: { display },
    ...RANGE,
    ...rest,
  });
}

function by(property: string): object {
  return { breakdownFilter: { breakdowns: [{ property, type: 'event' }] } };
}

export const NEW_INSIGHTS: readonly NewInsightKind[] = [
  {
    id: 'number',
    label: 'Number',
    icon: Hash,
    isNumber: true,
    query: wrapped({
      kind: 'TrendsQuery',
      series: [PERSONS],
      trendsFilter: { display: 'BoldNumber' },
      compareFilter: { compare: true },
      ...RANGE,
    }),
  },
  {
    id: 'line',
    label: 'Line',
    icon: ChartLine,
    query: wrapped({ kind: 'TrendsQuery', series: [ANY], interval: 'day', ...RANGE }),
  },
  { id: 'area', label: 'Area', icon: ChartArea, query: drawn('ActionsAreaGraph', by('$browser')) },
  { id: 'bar', label: 'Bar', icon: ChartColumn, query: drawn('ActionsUnstackedBar') },
  {
    id: 'stacked',
    label: 'Stacked bar',
    icon: ChartColumnStacked,
    query: drawn('ActionsBar', by('$browser')),
  },
  { id: 'pie', label: 'Pie', icon: ChartPie, query: drawn('ActionsPie', by('$browser')) },
  {
    id: 'funnel',
    label: 'Funnel',
    icon: Filter,
    query: wrapped({
      kind: 'FunnelsQuery',
      series: [ANY, ANY],
      funnelsFilter: { funnelVizType: 'steps' },
      ...RANGE,
    }),
  },
  {
    id: 'retention',
    label: 'Retention',
    icon: Grid3x3,
    query: wrapped({
      kind: 'RetentionQuery',
      retentionFilter: {
        period: 'Week',
        totalIntervals: 8,
        retentionType: 'retention_first_time',
        targetEntity: ENTITY,
        returningEntity: ENTITY,
      },
    }),
  },
  { id: 'table', label: 'Table', icon: Table, query: drawn('ActionsTable') },
  {
    id: 'paths',
    label: 'Paths',
    icon: Route,
    query: wrapped({
      kind: 'PathsQuery',
      pathsFilter: { includeEventTypes: ['$pageview', 'custom_event'] },
      ...RANGE,
    }),
  },
  {
    id: 'map',
    label: 'World map',
    icon: Earth,
    query: drawn('WorldMap', { series: [PERSONS], ...by('$geoip_country_code') }),
  },
  {
    id: 'sql',
    label: 'SQL',
    icon: Terminal,
    query: {
      kind: 'DataVisualizationNode',
      display: 'ActionsTable',
      source: {
        kind: 'HogQLQuery',
        query:
          'select event, count() as times from events where {filters} group by event order by times desc limit 20',
      },
    },
  },
];
