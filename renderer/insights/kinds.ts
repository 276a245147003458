import { Table, Terminal } from '@lucide/vue';
import type { Component } from 'vue';
import { resultsOf, type AnswerJson } from './answer.ts';
import { funnels } from './funnels/index.ts';
import type { AnswerTable, InsightKind } from './insight-kind.ts';
import { lifecycle } from './lifecycle/index.ts';
import { paths } from './paths/index.ts';
import { sourceOf, type Question } from './question.ts';
import { retention } from './retention/index.ts';
import { stickiness } from './stickiness/index.ts';
import { trends } from './trends/index.ts';

/** Every kind of insight, in the order in which they are offered. */
export const KINDS: readonly InsightKind[] = [trends, funnels, retention, stickiness, lifecycle, paths];

const SQL = { label: 'SQL', icon: Terminal };

/** The kind of a question. */
export function kindOf({ kind }: Pick<Question, 'kind'>): InsightKind {
  return KINDS.find(({ id }) => id === kind) ?? trends;
}

/** The question within a stored query, or `null` for a query of another kind, such as SQL. */
export function questionOf(query: unknown): Question | null {
  const node = sourceOf(query);
  return KINDS.some(({ id }) => id === node?.kind) ? (node as Question) : null;
}

/** A default name for a question: `Unique persons of sign up by day`. */
export function nameOfQuestion(question: Question): string {
  return kindOf(question).nameOf(question);
}

/** Why a question cannot be run yet; empty if it can. */
export function problemOfQuestion(question: Question): string {
  return kindOf(question).problemOf?.(question) ?? '';
}

/** All numbers of a result as a table. */
export function tableOf(question: Question, results: unknown): AnswerTable {
  return kindOf(question).table(question, results);
}

/** Whether there is a result and all its numbers are 0. */
export function isNothing(query: unknown, answer: AnswerJson | null | undefined): boolean {
  const results = resultsOf(answer);
  if (results === null) return false;
  const question = questionOf(query);
  if (question === null) return Array.isArray(results) && results.length === 0;
  return tableOf(question, results).rows.every((row) =>
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
