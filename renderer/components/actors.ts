import type { RouteLocationRaw } from 'vue-router';
import type { PickedPoint } from '../insights/answer.ts';
import type { InsightQuery } from '../insights/insight-query.ts';
import { groupTitleOf } from '../ui/group-labels.ts';

export type ActorNoun = 'person' | 'group' | 'session';

interface ActorJson {
  id: string;
  /** Missing for a group that was never identified. */
  type?: ActorNoun;
  name?: string;
  group_type_index?: number;
  session_id?: string;
  group_key?: string;
  properties?: Record<string, unknown>;
}

/** A row of a list of actors as the server sends it; the person of a session is its second column. */
export type ActorRow = readonly [actor: ActorJson, person?: ActorJson];

/** An actor as it is listed. */
export interface ListedActor {
  key: string;
  noun: ActorNoun;
  name: string;
  /** The person of a session; empty for others. */
  detail: string;
  /** Its page; null where there is none. */
  to: RouteLocationRaw | null;
}

/** What to show of a row of actors. */
export function actorOf([actor, person]: ActorRow, projectId: number): ListedActor {
  const personPage = (id: string) => ({ name: 'person', params: { projectId, personId: id } });
  const { id, name = id, properties = {} } = actor;
  const typeIndex = actor.group_type_index;
  if (actor.type === 'session') {
    return {
      key: `${id} ${person?.id ?? ''}`,
      noun: 'session',
      name: id,
      detail: person?.name ?? person?.id ?? '',
      to: person ? personPage(person.id) : null,
    };
  }
  if (typeIndex === undefined) return { key: id, noun: 'person', name, detail: '', to: personPage(id) };
  return {
    key: id,
    noun: 'group',
    name: groupTitleOf({ group_key: id, group_properties: properties }),
    detail: '',
    // Only an identified group has a page.
    to: actor.type === 'group' ? { name: 'group', params: { projectId, typeIndex, groupKey: id } } : null,
  };
}

const SESSION_IDS: ReadonlySet<unknown> = new Set(['properties.$session_id', '$session_id']);
const GROUP_MATHS: ReadonlySet<unknown> = new Set(['unique_group', 'dau', 'weekly_active', 'monthly_active']);

/** What the actors of a point are. */
export function actorNounOf({ source, series }: PickedPoint['source']): ActorNoun {
  const query = (source ?? {}) as InsightQuery;
  if (query['aggregation_group_type_index'] != null) return 'group';
  const expression = query.funnelsFilter?.['funnelAggregateByHogQL'];
  if (typeof expression === 'string' && SESSION_IDS.has(expression.trim())) return 'session';
  const node = query.series?.[Number(series ?? 0)];
  const isOfGroups =
    query.kind !== 'FunnelsQuery' && GROUP_MATHS.has(node?.math) && node?.math_group_type_index != null;
  return isOfGroups ? 'group' : 'person';
}
