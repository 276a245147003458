import { Route } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import type { AnswerTable, InsightKind } from '../insight-kind.ts';
import type { InsightQuery } from '../insight-query.ts';

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
  table: (_, results) => pathsTable(results),
};

function pathsTable(results: unknown): AnswerTable {
  const list = (Array.isArray(results) ? results : []) as { source: string; target: string; value: number }[];
  return {
    columns: ['From', 'To', 'Persons'],
    rows: list.map(({ source, target, value }) => [source, target, value]),
  };
}
