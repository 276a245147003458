import { Grid3x3 } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import type { AnswerTable, InsightKind } from '../insight-kind.ts';
import { entityOf, nameOfSeries, nodeOfEntity, type Question } from '../question.ts';

export const retention: InsightKind = {
  id: 'RetentionQuery',
  name: 'retention',
  label: 'Retention',
  noun: 'Retention',
  icon: Grid3x3,
  breakdown: 'plain',
  turn({ shared, group, bare, breakdown }): Question {
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
  nameOf: (question) =>
    nameOfSeries(question, {
      noun: 'Retention',
      nodes: [nodeOfEntity(question.retentionFilter?.['targetEntity'])],
    }),
  view: defineAsyncComponent(() => import('./RetentionAnswer.vue')),
  table: (_, results) => retentionTable(results),
};

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
