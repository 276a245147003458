import { endOfDay, startOfDay } from '../../lib/local-day.ts';
import { parseRelativeTime } from '../../lib/relative-time.ts';
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
    from: from === undefined ? undefined : isDay(from) ? startOfDay(from, timezone) : momentOf(from, now),
    to: to === undefined ? undefined : isDay(to) ? endOfDay(to, timezone) : momentOf(to, now) + 1,
  };
}

function isDay(text: string): boolean {
  return text.length === '2026-11-20'.length && !text.startsWith('-');
}

function momentOf(text: string, now: number): number {
  return parseRelativeTime(text, now) ?? Date.parse(text);
}
