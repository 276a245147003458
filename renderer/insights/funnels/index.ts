import { ChartBar, ChartColumn, ChartLine, Filter } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import { formatPercent } from '../../ui/charts/chart-scale.ts';
import type { AnswerTable, InsightKind, Preview } from '../insight-kind.ts';
import { actorsLabel, nameOfSeries, type InsightQuery, type SeriesNode } from '../insight-query.ts';
import { conversionTimes, funnelLines, vizOf } from './funnel-course.ts';
import { funnelGroups, periodName, wholeFunnel, type ComparedPeriod } from './funnel-steps.ts';

const nameOf = (insightQuery: InsightQuery): string => nameOfSeries(insightQuery, { separator: ' to ' });

export const funnels: InsightKind = {
  id: 'FunnelsQuery',
  name: 'funnels',
  label: 'Funnels',
  noun: 'Funnel',
  icon: Filter,
  series: 'steps',
  breakdown: 'plain',
  canCompare: () => true,
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
      // Only steps can be drawn of a funnel with optional ones.
      series: funnelVizType === 'steps' ? insightQuery.series : insightQuery.series?.map(required),
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
  preview: funnelPreview,
  table: funnelTable,
};

function required({ optionalInFunnel: _, ...node }: SeriesNode): SeriesNode {
  return node as SeriesNode;
}

function funnelPreview(insightQuery: InsightQuery, results: unknown): Preview | null {
  const viz = vizOf(insightQuery);
  if (viz === 'time_to_convert') {
    const bins = conversionTimes(results)[0]?.bins ?? [];
    return { shape: 'bars', values: bins.map(({ count }) => count), fact: '' };
  }
  if (viz === 'trends') {
    const [first] = funnelLines(results);
    return first ? { shape: 'line', values: first.values, fact: '' } : null;
  }
  const groups = funnelGroups(results);
  const funnel = wholeFunnel(groups) ?? groups[0];
  if (funnel === undefined) return null;
  const values = funnel.steps.map(({ count }) => count);
  return { shape: 'bars', values, fact: `${formatPercent(funnel.steps.at(-1)!.share)} converted` };
}

function funnelTable(insightQuery: InsightQuery, results: unknown): AnswerTable {
  const viz = vizOf(insightQuery);
  const actors = actorsLabel(insightQuery);
  if (viz === 'time_to_convert') {
    const periods = conversionTimes(results);
    const [current] = periods;
    const rows = (current?.bins ?? []).map(({ from, to }, at) => [
      from,
      to,
      ...periods.map(({ bins }) => bins[at]?.count ?? 0),
    ]);
    const counts = periods.map(({ period }) => (period === 'previous' ? `${actors} (previous)` : actors));
    return {
      columns: ['From (seconds)', 'To (seconds)', ...counts],
      rows: rows.filter((row) => row.slice(2).some((count) => count !== 0)),
    };
  }
  if (viz === 'trends') {
    const lines = funnelLines(results);
    const days = lines[0]?.days ?? [];
    const rows = lines.flatMap(({ name, breakdown, values, before }): NamedRow[] => {
      const breakdownName = breakdown === undefined && before ? '' : name;
      const current: NamedRow = { breakdownName, period: before ? 'current' : undefined, values };
      if (!before) return [current];
      return [current, { breakdownName, period: 'previous', values: before.values.slice(0, days.length) }];
    });
    return tableOfRows(rows, days.map(String));
  }
  const rows = funnelGroups(results).flatMap(({ breakdownName, compare: period, steps }) =>
    steps.map(({ order, name, count, share, shareOfBefore, medianSeconds }) => ({
      breakdownName,
      period,
      values: [order + 1, name, count, share, shareOfBefore, medianSeconds ?? ''],
    })),
  );
  return tableOfRows(rows, ['Step', 'Event', actors, ...STEP_NUMBERS]);
}

const STEP_NUMBERS = ['Conversion from first step', 'Conversion from previous step', 'Median time (seconds)'];

interface NamedRow {
  breakdownName: string;
  period: ComparedPeriod | undefined;
  values: (string | number)[];
}

/** Rows after the names of their breakdown and period, of which a comparison without a breakdown has only the second. */
function tableOfRows(rows: readonly NamedRow[], columns: readonly string[]): AnswerTable {
  const hasPeriods = rows.some(({ period }) => period !== undefined);
  const hasBreakdown = !hasPeriods || rows.some(({ breakdownName }) => breakdownName !== '');
  return {
    columns: [...(hasBreakdown ? ['Breakdown'] : []), ...(hasPeriods ? ['Period'] : []), ...columns],
    rows: rows.map(({ breakdownName, period, values }) => [
      ...(hasBreakdown ? [breakdownName] : []),
      ...(hasPeriods ? [periodName(period)] : []),
      ...values,
    ]),
  };
}
