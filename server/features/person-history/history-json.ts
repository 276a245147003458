import { sourcesOf, type PersonActivityJson, type PersonOriginsJson } from '../persons/index.ts';
import type { ActivityRow, MergeRow } from './person-history.reads.ts';

/** What set each property; where no event did, the management API did it. */
export function propertySourcesOf(json: string): PersonOriginsJson['property_sources'] {
  return Object.fromEntries(
    Object.entries(sourcesOf(json)).map(([key, { event, by, at }]) => [
      key,
      { event: event || null, by, at },
    ]),
  );
}

/** A merge as the API shows it. */
export function mergeJsonOf({ uuid, distinctId, event, at }: MergeRow): PersonOriginsJson['merges'][number] {
  return { uuid, distinct_id: distinctId, event, at };
}

/** What a person's events amount to, from the rows of `listActivity`. */
export function activityJsonOf(rows: readonly ActivityRow[]): PersonActivityJson {
  const ofKind = (kind: ActivityRow['kind']): ActivityRow[] => rows.filter((row) => row.kind === kind);
  const [total] = ofKind('total');
  return {
    count: total!.count,
    first_seen: total!.firstSeen,
    last_seen: total!.lastSeen,
    days: ofKind('day').map(({ name, count }) => ({ day: name, count })),
    events: ofKind('event').map((row) => ({ event: row.name, ...countedOf(row) })),
    distinct_ids: ofKind('distinct_id').map((row) => ({
      distinct_id: row.name,
      first_seen: row.firstSeen!,
      ...countedOf(row),
    })),
    groups: ofKind('group').map((row) => ({
      group_type_index: row.index!,
      group_key: row.name,
      ...countedOf(row),
    })),
  };
}

function countedOf({ count, lastSeen }: ActivityRow): { count: number; last_seen: string } {
  return { count, last_seen: lastSeen! };
}
