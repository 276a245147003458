import { ChartBar, ChartColumn, ChartLine, Filter } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import type { AnswerTable, InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type InsightQuery } from '../insight-query.ts';
import { conversionBins, funnelLines, vizOf } from './funnel-course.ts';
import { funnelGroups } from './funnel-steps.ts';

const nameOf = (insightQuery: InsightQuery): string => nameOfSeries(insightQuery, { separator: ' to ' });

export const funnels: InsightKind = {
  id: 'FunnelsQuery',
  name: 'funnels',
  label: 'Funnels',
  noun: 'Funnel',
  icon: Filter,
  series: 'steps',
  breakdown: 'plain',
  hasInterval: (insightQuery) => vizOf(insightQuery) === 'trends',
  chartTypes: {
    choices: [
      { id: 'steps', label: 'Steps', icon: ChartBar },
      { id: 'time_to_convert', label: 'Time to convert', icon: ChartColumn },
      { id: 'trends', label: 'Conversion over time', icon: ChartLine },
    ],
    of: vizOf,
    with: (insightQuery, funnelVizType) => ({
      ...insightQuery,
      funnelsFilter: { ...insightQuery.funnelsFilter, funnelVizType },
    }),
  },
  turn: ({ shared, group, bare, breakdown }): InsightQuery => ({
    kind: 'FunnelsQuery',
    ...shared,
    ...group,
    series: bare,
    funnelsFilter: { funnelVizType: 'steps' },
    ...breakdown,
  }),
  nameOf,
  problemOf: ({ series = [] }) =>
    series.length < 2 ? 'A funnel needs at least two steps. Add another step.' : '',
  view: defineAsyncComponent(() => import('./FunnelAnswer.vue')),
  props: (insightQuery) => ({ name: nameOf(insightQuery) }),
  table: funnelTable,
};

function funnelTable(insightQuery: InsightQuery, results: unknown): AnswerTable {
  const viz = vizOf(insightQuery);
  if (viz === 'time_to_convert') {
    const rows = conversionBins(results).bins.map(({ from, to, count }) => [from, to, count]);
    return {
      columns: ['From (seconds)', 'To (seconds)', 'Persons'],
      rows: rows.filter(([, , count]) => count !== 0),
    };
  }
  if (viz === 'trends') {
    const lines = funnelLines(results);
    const rows = lines.map(({ name, values }) => [name, ...values]);
    return { columns: ['Breakdown', ...(lines[0]?.days.map(String) ?? [])], rows };
  }
  const rows = funnelGroups(results).flatMap(({ name, steps }) =>
    steps.map((step) => [
      name,
      step.order + 1,
      step.name,
      step.count,
      step.share,
      step.shareOfBefore,
      step.medianSeconds ?? '',
    ]),
  );
  const columns = [
    'Breakdown',
    'Step',
    'Event',
    'Persons',
    'Conversion from first step',
    'Conversion from previous step',
    'Median time (seconds)',
  ];
  return { columns, rows };
}
