import { Route } from '@lucide/vue';
import { defineAsyncComponent } from 'vue';
import type { AnswerTable, InsightKind, Preview } from '../insight-kind.ts';
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
  preview: (_, results) => pathsPreview(results),
  table: (insightQuery, results) => pathsTable(results, actorsLabel(insightQuery)),
};

interface PathEdge {
  source: string;
  target: string;
  value: number;
}

function edgesOf(results: unknown): PathEdge[] {
  return (Array.isArray(results) ? results : []) as PathEdge[];
}

/** The most used ways. */
function pathsPreview(results: unknown): Preview {
  const values = edgesOf(results).map(({ value }) => value);
  return { shape: 'bars', values: values.toSorted((a, b) => b - a).slice(0, 5), fact: '' };
}

function pathsTable(results: unknown, actors: string): AnswerTable {
  const list = edgesOf(results);
  return {
    columns: ['From', 'To', actors],
    rows: list.map(({ source, target, value }) => [source, target, value]),
  };
}
