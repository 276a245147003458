import { spanEnd, spanStart } from '../../lib/time-bounds.ts';
import type { ListActivityQuery } from './activity-log.contract.ts';
import type { ActivityFilter } from './activity-log.reads.ts';

/** What the parameters of a list ask for. Days are those of a time zone and count whole; `now` in Unix milliseconds. */
export function activityFilterOf(query: ListActivityQuery, timezone: string, now: number): ActivityFilter {
  const from = query.date_from ?? query.start_date;
  const to = query.date_to ?? query.end_date;
  return {
    user: query.user,
    scopes: query.scopes ?? (query.scope === undefined ? undefined : [query.scope]),
    itemId: query.item_id,
    activities: query.activities ?? (query.activity === undefined ? undefined : [query.activity]),
    search: query.search,
    from: from === undefined ? undefined : spanStart(from, timezone, now),
    to: to === undefined ? undefined : spanEnd(to, timezone, now),
  };
}
