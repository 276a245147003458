import { Table, Terminal } from '@lucide/vue';
import type { Component } from 'vue';
import { resultsOf, type AnswerJson } from './answer.ts';
import { funnels } from './funnels/index.ts';
import type { AnswerTable, InsightKind } from './insight-kind.ts';
import { lifecycle } from './lifecycle/index.ts';
import { paths } from './paths/index.ts';
import { sourceOf, type InsightQuery } from './insight-query.ts';
import { retention } from './retention/index.ts';
import { stickiness } from './stickiness/index.ts';
import { trends } from './trends/index.ts';

/** Every kind of insight, in the order in which they are offered. */
export const KINDS: readonly InsightKind[] = [trends, funnels, retention, stickiness, lifecycle, paths];

const SQL = { label: 'SQL', icon: Terminal };

/** The kind of a query. */
export function kindOf({ kind }: Pick<InsightQuery, 'kind'>): InsightKind {
  return KINDS.find(({ id }) => id === kind) ?? trends;
}

/** The query within a stored query, or `null` for a query of another kind, such as SQL. */
export function insightQueryOf(query: unknown): InsightQuery | null {
  const node = sourceOf(query);
  return KINDS.some(({ id }) => id === node?.kind) ? (node as InsightQuery) : null;
}

/** A default name for a query: `Unique persons of sign up by day`. */
export function nameOfQuery(insightQuery: InsightQuery): string {
  return kindOf(insightQuery).nameOf(insightQuery);
}

/** Why a query cannot be run yet; empty if it can. */
export function problemOfQuery(insightQuery: InsightQuery): string {
  return kindOf(insightQuery).problemOf?.(insightQuery) ?? '';
}

/** All numbers of a result as a table. */
export function tableOf(insightQuery: InsightQuery, results: unknown): AnswerTable {
  return kindOf(insightQuery).table(insightQuery, results);
}

/** Whether there is a result and all its numbers are 0. */
export function isNothing(query: unknown, answer: AnswerJson | null | undefined): boolean {
  const results = resultsOf(answer);
  if (results === null) return false;
  const insightQuery = insightQueryOf(query);
  if (insightQuery === null) return Array.isArray(results) && results.length === 0;
  return tableOf(insightQuery, results).rows.every((row) =>
    row.every((value) => typeof value !== 'number' || value === 0),
  );
}

/** Label and icon for the kind of a stored query. */
export function kindOfQuery(query: unknown): { label: string; icon: Component } {
  if (typeof query !== 'object' || query === null) return { label: 'No query', icon: Table };
  const { kind, source } = query as { kind?: unknown; source?: unknown };
  if (source !== undefined && source !== null) return kindOfQuery(source);
  const found = KINDS.find(({ id }) => id === kind);
  if (found) return { label: found.noun, icon: found.icon };
  return kind === 'HogQLQuery' ? SQL : { label: 'Table', icon: Table };
}
