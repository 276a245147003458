import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import { listNamedInsights } from './dashboards.reads.ts';

/** How a client may name an insight. */
type InsightName = { readonly id?: number; readonly shortId?: string };

export interface NamedInsights {
  access: Access;
  actor: Actor;
  projectId: number;
}

/**
 * The ids of the insights that clients name by id, by short id, or by an object that holds one of them; undefined for
 * undefined. One statement. Throws invalid_input for an invalid name, does_not_exist, access_level; `attrOf` says
 * which field holds the name.
 */
export async function findNamedInsights(
  tx: Statements,
  names: readonly unknown[],
  { access, actor, projectId }: NamedInsights,
  attrOf: (index: number) => string,
): Promise<(number | undefined)[]> {
  const read = names.map((name, index) => (name === undefined ? null : readName(name, attrOf(index))));
  const parsed = read.filter((name) => name !== null);
  if (parsed.length === 0) return names.map(() => undefined);
  const ids = parsed.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const shortIds = parsed.flatMap(({ shortId }) => (shortId === undefined ? [] : [shortId]));
  const found = await listNamedInsights(tx, projectId, ids, shortIds);
  return read.map((name, index) => {
    if (name === null) return undefined;
    const insight =
      found.find(({ id }) => id === name.id) ?? found.find(({ shortId }) => shortId === name.shortId);
    if (insight === undefined)
      throw fail('does_not_exist', { attr: attrOf(index), detail: 'This insight does not exist.' });
    access.check(actor, projectId, 'insight', insight, 'viewer');
    return insight.id;
  });
}

function readName(value: unknown, attr: string): InsightName {
  if (Number.isSafeInteger(value)) return { id: value as number };
  // A short id may consist of digits.
  if (typeof value === 'string' && value !== '')
    return { shortId: value, ...(/^\d{1,15}$/.test(value) ? { id: Number(value) } : {}) };
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { id, short_id: shortId } = value as Record<string, unknown>;
    const inside = id ?? shortId;
    if (typeof inside !== 'object' && inside !== undefined) return readName(inside, attr);
  }
  throw fail('invalid_input', { attr, detail: 'Specify an insight by its id or short id.' });
}
