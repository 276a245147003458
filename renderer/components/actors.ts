import type { RouteLocationRaw } from 'vue-router';
import type { PickedPoint } from '../insights/answer.ts';
import type { InsightQuery } from '../insights/insight-query.ts';
import { groupTitleOf } from '../ui/group-labels.ts';
import { subtitleOf, titleOf, type NamedPerson } from '../ui/person-labels.ts';

export type ActorNoun = 'person' | 'group' | 'session';

interface ActorJson {
  id: string;
  /** Missing for a group that was never identified. */
  type?: ActorNoun;
  name?: string;
  group_type_index?: number;
  session_id?: string;
  group_key?: string;
  distinct_ids?: readonly string[];
  properties?: Record<string, unknown>;
}

/** A row of a list of actors as the server sends it; the person of a session is its second column. */
export type ActorRow = readonly [actor: ActorJson, person?: ActorJson];

/** An actor as it is listed. */
export interface ListedActor {
  key: string;
  noun: ActorNoun;
  name: string;
  /** The person of a session, the email address or ID of a person; empty where there is none. */
  detail: string;
  properties: Readonly<Record<string, unknown>>;
  /** Its page; null where there is none. */
  to: RouteLocationRaw | null;
}

/** What to show of a row of actors. */
export function actorOf([actor, person]: ActorRow, projectId: number): ListedActor {
  const personPage = (id: string) => ({ name: 'person', params: { projectId, personId: id } });
  const { id, properties = {} } = actor;
  const typeIndex = actor.group_type_index;
  if (actor.type === 'session') {
    return {
      key: `${id} ${person?.id ?? ''}`,
      noun: 'session',
      name: id,
      detail: person ? titleOf(namedOf(person)) : '',
      properties: person?.properties ?? {},
      to: { name: 'session', params: { projectId, sessionId: id } },
    };
  }
  if (typeIndex === undefined) {
    const named = namedOf(actor);
    const labels = { name: titleOf(named), detail: subtitleOf(named) };
    return { key: id, noun: 'person', ...labels, properties, to: personPage(id) };
  }
  return {
    key: id,
    noun: 'group',
    name: groupTitleOf({ group_key: id, group_properties: properties }),
    detail: '',
    properties,
    // Only an identified group has a page.
    to: actor.type === 'group' ? { name: 'group', params: { projectId, typeIndex, groupKey: id } } : null,
  };
}

/** Without a name the server calls a person by the ID, which says less than a distinct ID. */
function namedOf({ id, name = id, distinct_ids = [], properties = {} }: ActorJson): NamedPerson {
  return { name: name === id ? (distinct_ids[0] ?? id) : name, distinct_ids, properties };
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
