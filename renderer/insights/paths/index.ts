import { Route } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import type { AnswerTable, InsightKind } from '../insight-kind.ts';
import { actorsLabel, type InsightQuery } from '../insight-query.ts';

export const paths: InsightKind = {
  id: 'PathsQuery',
  name: 'paths',
  label: 'Paths',
  noun: 'Paths',
  icon: Route,
  turn: ({ shared, group }): InsightQuery => ({
    kind: 'PathsQuery',
    ...shared,
    ...group,
    pathsFilter: { includeEventTypes: ['$pageview', 'custom_event'] },
  }),
  nameOf: () => 'Paths',
  view: defineAsyncComponent(() => import('./PathsAnswer.vue')),
  table: (insightQuery, results) => pathsTable(results, actorsLabel(insightQuery)),
};

function pathsTable(results: unknown, actors: string): AnswerTable {
  const list = (Array.isArray(results) ? results : []) as { source: string; target: string; value: number }[];
  return {
    columns: ['From', 'To', actors],
    rows: list.map(({ source, target, value }) => [source, target, value]),
  };
}
