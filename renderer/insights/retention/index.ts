import { ChartLine, Grid3x3 } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import { formatPercent } from '../../ui/charts/chart-scale.ts';
import type { AnswerTable, InsightKind, Preview } from '../insight-kind.ts';
import { retentionDisplay, retentionMeans, retentionRows } from './retention-rows.ts';
import { nameOfSeries, type InsightQuery, type SeriesNode } from '../insight-query.ts';

export const retention: InsightKind = {
  id: 'RetentionQuery',
  name: 'retention',
  label: 'Retention',
  noun: 'Retention',
  icon: Grid3x3,
  breakdown: 'plain',
  chartTypes: {
    choices: [
      { id: 'ActionsTable', label: 'Table and curve', icon: Grid3x3 },
      { id: 'ActionsLineGraph', label: 'Curve', icon: ChartLine },
    ],
    of: retentionDisplay,
    with: (insightQuery, display) => ({
      ...insightQuery,
      retentionFilter: { ...insightQuery.retentionFilter, display },
    }),
  },
  turn({ shared, group, bare, breakdown }): InsightQuery {
    const entity = entityOf(bare[0]!);
    const retentionFilter = {
      period: 'Week',
      totalIntervals: 8,
      retentionType: 'retention_first_time',
      targetEntity: entity,
      returningEntity: entity,
    };
    return { kind: 'RetentionQuery', ...shared, ...group, retentionFilter, ...breakdown };
  },
  nameOf: (insightQuery) =>
    nameOfSeries(insightQuery, {
      noun: 'Retention',
      nodes: [nodeOfEntity(insightQuery.retentionFilter?.['targetEntity'])],
    }),
  view: defineAsyncComponent(() => import('./RetentionAnswer.vue')),
  preview: retentionPreview,
  table: (_, results) => retentionTable(results),
};

/** The mean row, without the intervals that are not over for any cohort. */
function retentionPreview({ retentionFilter }: InsightQuery, results: unknown): Preview | null {
  const rows = retentionRows(results, String(retentionFilter?.['period'] ?? 'Day'));
  const [mean] = retentionMeans(rows);
  if (mean === undefined) return null;
  const values = mean.cells.map(({ share }) => share ?? 0);
  const label = rows[0]?.cells[1]?.label.toLowerCase();
  return { shape: 'shares', values, fact: label ? `${formatPercent(values[1]!)} in ${label}` : '' };
}

function retentionTable(results: unknown): AnswerTable {
  const list = (Array.isArray(results) ? results : []) as {
    date: string;
    values: { count: number; label: string }[];
  }[];
  const longest = list.toSorted((a, b) => b.values.length - a.values.length)[0]?.values ?? [];
  return {
    columns: ['Cohort', ...longest.map(({ label }) => label)],
    rows: list.map(({ date, values }) => [date.slice(0, 10), ...values.map(({ count }) => count)]),
  };
}

/** The series of an entity of `retentionFilter`. */
export function nodeOfEntity(entity: unknown): SeriesNode {
  const { id, name, type } = (entity ?? {}) as { id?: string | number | null; name?: string; type?: string };
  if (type === 'actions') return { kind: 'ActionsNode', id: Number(id), name: name ?? null };
  return { kind: 'EventsNode', event: id == null ? null : String(id) };
}

/** A series as an entity of `retentionFilter`. */
export function entityOf({ kind, event, id, name }: SeriesNode): Record<string, unknown> {
  return kind === 'ActionsNode'
    ? { id, name: name ?? undefined, type: 'actions' }
    : { id: event ?? null, name: event ?? undefined, type: 'events' };
}
