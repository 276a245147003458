import { fail } from '../../errors.ts';
import type { Query } from '../../hogql/ast.ts';
import { alias, field, from, select } from '../../hogql/build.ts';
import type { ActorsSelect, KindAnswer, KindContext } from './query-kind.ts';
import { actorsPoint, findKind, isPoint } from './query-kinds.ts';
import { problemOf } from './query-errors.ts';
import { type StoredQuery, readKind, readNode } from './read-query.ts';

const ACTOR_ID = 'actor_id';

/** The actors of a point of an insight, or those that SQL selects (management contract 9.9.2). Throws invalid_input. */
export async function readActors(source: unknown, context: KindContext): Promise<ActorsSelect> {
  const node = readNode(source);
  if (node.kind === 'HogQLQuery') return await selectedBy(node, context);
  const hasPoint = isPoint(node.kind);
  const insight = hasPoint ? readNode(node['source']) : node;
  const kind = findKind(insight.kind);
  if (kind.actors === undefined) {
    throw fail('invalid_input', { detail: `Persons are not available for queries of kind ${kind.kind}.` });
  }
  const query = readKind(kind, insight);
  const point = pointOf(hasPoint ? node : pointIn(node));
  return await kind.actors(await kind.plan(query, context), point, context);
}

/** The answer to a query in another one. Throws invalid_input. */
export async function answerSource(source: unknown, context: KindContext): Promise<KindAnswer> {
  const node = readNode(source);
  const kind = findKind(node.kind);
  return await kind.answer(await kind.plan(readKind(kind, node), context), context);
}

/** The point that an insight carries itself: its series and its interval are those of the insight. */
function pointIn({
  series: _,
  interval: __,
  ...rest
}: StoredQuery & { series?: unknown; interval?: unknown }) {
  return rest;
}

function pointOf(node: Readonly<Record<string, unknown>>) {
  const point = actorsPoint.safeParse(node);
  if (point.success) return point.data;
  throw fail('invalid_input', { detail: `Invalid data point. ${problemOf(point.error.issues)}` });
}

async function selectedBy(node: StoredQuery, context: KindContext): Promise<ActorsSelect> {
  const text = node['query'];
  if (typeof text !== 'string') throw fail('invalid_input', { detail: 'A HogQLQuery requires `query`.' });
  const { query, name } = withFirstName(await context.parse.select(text));
  const ids = select({ select: [alias(field(name), ACTOR_ID)], from: from(query) });
  return { select: ids, groupTypeIndex: null };
}

/** The same query with a named first column. */
function withFirstName(query: Query): { query: Query; name: string } {
  if (query.node === 'SelectSetQuery') {
    if (query.first.node === 'Placeholder') return { query, name: ACTOR_ID };
    const { query: first, name } = withFirstName(query.first);
    return { query: { ...query, first }, name };
  }
  const [first, ...rest] = query.select;
  if (first!.node === 'Alias') return { query, name: first!.alias };
  return { query: { ...query, select: [alias(first!, ACTOR_ID), ...rest] }, name: ACTOR_ID };
}
