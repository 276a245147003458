import { fail } from '../../errors.ts';
import { parseRelativeTime } from '../../lib/relative-date.contract.ts';
import { parseTime } from '../capture/index.ts';
import type { CompiledFilter } from '../property-filters/index.ts';
import type { ListEventsQuery } from './events.contract.ts';
import type { EventRow } from './event-row.ts';

const MAX_LIMIT = 50_000;
/** Clocks of senders may be a little ahead. */
const AHEAD_MICROSECONDS = 5_000_000n;

/** A place in the order of (timestamp, uuid); without uuid, all events of the instant lie on its far side. */
export interface Cursor {
  /** Unix microseconds. */
  timestamp: bigint;
  uuid: string | null;
  /** The event at that place belongs to what lies beyond it. */
  isInclusive?: boolean;
}

/** Which events, in which order, how many. */
export interface EventPage {
  event: string | null;
  distinctId: string | null;
  /** IDs under which events of the requested person are stored; null: all persons. */
  personIds: number[] | null;
  /** Over the columns of events that are called `e`. */
  filter: CompiledFilter;
  after: Cursor | null;
  before: Cursor;
  isAscending: boolean;
  /** null: all of them. */
  limit: number | null;
  offset: number;
}

/** A page as a client requests it. */
export type LimitedPage = EventPage & { limit: number };
/** Filters of the query that are resolved elsewhere. */
export type PageFilters = Pick<EventPage, 'personIds' | 'filter'>;

/** Turns the query of the list into a page; `now` in Unix milliseconds. Throws invalid_input for a time it cannot read. */
export function pageOfQuery(
  query: ListEventsQuery,
  filters: PageFilters,
  now: number,
  defaultLimit: number,
): LimitedPage {
  const offset = /^\d{1,15}$/.test(query.offset ?? '') ? Number(query.offset) : 0;
  return {
    event: query.event ?? null,
    distinctId: query.distinct_id ?? null,
    ...filters,
    after: cursorOf('after', query.after, query.after_id, now),
    before: cursorOf('before', query.before, query.before_id, now) ?? {
      timestamp: BigInt(now) * 1000n + AHEAD_MICROSECONDS,
      uuid: null,
    },
    isAscending: query.orderBy === 'ascending',
    limit: Math.min(query.limit ?? defaultLimit, MAX_LIMIT),
    offset,
  };
}

/** Of the years 1 to 9999, which the database and ISO texts both have. */
const FIRST_MICROSECOND = -62_135_596_800_000_000n;
const LAST_MICROSECOND = 253_402_300_799_999_999n;

function cursorOf(
  attr: string,
  time: string | undefined,
  uuid: string | undefined,
  now: number,
): Cursor | null {
  if (time === undefined) return null;
  const timestamp = readInstant(time, now);
  if (timestamp === null || timestamp < FIRST_MICROSECOND || timestamp > LAST_MICROSECOND) {
    const detail = 'Expected a time such as 2026-03-04T09:10:11Z, or a relative date such as -24h or -7d.';
    throw fail('invalid_input', { attr, detail });
  }
  return { timestamp, uuid: uuid ?? null };
}

function readInstant(text: string, now: number): bigint | null {
  const exact = readStoredTime(text);
  if (exact !== null) return exact;
  const relative = parseRelativeTime(text, now);
  if (relative !== null) return BigInt(Math.round(relative)) * 1000n;
  // A plus sign that was not encoded arrives as a space.
  const time = parseTime(text.replace(/(:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2'));
  return time === null ? null : BigInt(Math.round(time));
}

/** A page of the events from `first` to `last` and no others, whatever has been stored since. */
export function pageBetween(page: EventPage, first: EventRow, last: EventRow): EventPage {
  const [newest, oldest] = page.isAscending ? [last, first] : [first, last];
  return { ...page, limit: null, offset: 0, before: cursorAt(newest), after: cursorAt(oldest) };
}

function cursorAt({ timestamp, uuid }: EventRow): Cursor {
  return { timestamp: readStoredTime(offsetTime(timestamp))!, uuid, isInclusive: true };
}

/** The form of `next`, exactly: microseconds of late years do not fit a double. */
function readStoredTime(text: string): bigint | null {
  const [, milliseconds, micro] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})\+00:00$/.exec(text) ?? [];
  const time = milliseconds === undefined ? Number.NaN : Date.parse(`${milliseconds}Z`);
  return Number.isNaN(time) ? null : BigInt(time) * 1000n + BigInt(micro!);
}

/** The address of the page behind `last`: the request's own, which goes on after that event. */
export function nextPageUrl(url: URL, last: EventRow, isAscending: boolean): string {
  const next = new URL(url);
  const edge = isAscending ? 'after' : 'before';
  next.searchParams.set(edge, offsetTime(last.timestamp));
  next.searchParams.set(`${edge}_id`, last.uuid);
  next.searchParams.delete('offset');
  return next.href;
}

/** `…Z` as `…+00:00`: stored events carry an explicit offset (management contract 2.7). */
export function offsetTime(isoTime: string): string {
  return isoTime.replace(/Z$/, '+00:00');
}
