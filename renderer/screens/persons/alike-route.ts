import type { RouteLocationRaw } from 'vue-router';

/** The list of persons with the same value of a property; `null` for a value that a filter cannot name. */
export function alikeRoute(projectId: number, name: string, value: unknown): RouteLocationRaw | null {
  if (!['string', 'number', 'boolean'].includes(typeof value)) return null;
  const filters = JSON.stringify([[name, 'exact', String(value)]]);
  return { name: 'persons', params: { projectId }, query: { filters } };
}
