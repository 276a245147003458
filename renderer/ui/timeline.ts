import { whereOrWhat, type NamedEvent } from './event-labels.ts';
import { formatDay, formatDuration } from './format.ts';

/** An event of a timeline. */
export interface TimelineEvent extends NamedEvent {
  id: string;
  timestamp: string;
  lib: string;
  distinct_id: string;
}

export type TimelineItem<Event> =
  | { kind: 'day'; key: string; label: string; count: number }
  | { kind: 'event'; key: string; event: Event }
  | { kind: 'run'; key: string; title: string; text: string; span: string; events: Event[] }
  | { kind: 'start'; key: string; timestamp: string; text: string };

/** Events that are grouped in the timeline, as SDKs send them automatically while a user navigates. */
const QUIET = new Set(['$pageview', '$pageleave', '$autocapture', '$screen', '$web_vitals', '$rageclick']);
const SHOWN_PLACES = 3;

/**
 * Lays out events, newest first, by days in local time. When `isGrouped`, quiet events that follow each other in a session
 * become one line, and each session gets a line where it begins, as far as its beginning is among the events.
 */
export function layOut<Event extends TimelineEvent>(
  events: readonly Event[],
  { isGrouped, now }: { isGrouped: boolean; now: number },
): TimelineItem<Event>[] {
  const items: TimelineItem<Event>[] = [];
  for (const day of splitBy(events, (event) => new Date(event.timestamp).toDateString())) {
    items.push(dayOf(day, now));
    if (!isGrouped) items.push(...day.map(itemOf));
    else for (const session of splitBy(day, sessionOf)) items.push(...sessionItems(session, events));
  }
  return items;
}

function sessionItems<Event extends TimelineEvent>(
  session: readonly Event[],
  all: readonly Event[],
): TimelineItem<Event>[] {
  const items = splitBy(session, (event) => (QUIET.has(event.event) ? 'quiet' : event.id)).map((run) =>
    run.length > 1 ? runOf(run) : itemOf(run[0]!),
  );
  const first = session.at(-1)!;
  const before = all[all.indexOf(first) + 1];
  const isBeginning =
    sessionOf(first) !== '' && before !== undefined && sessionOf(before) !== sessionOf(first);
  if (isBeginning)
    items.push({
      kind: 'start',
      key: `start ${first.id}`,
      timestamp: first.timestamp,
      text: deviceOf(first),
    });
  return items;
}

function dayOf(day: readonly TimelineEvent[], now: number): TimelineItem<never> {
  const date = new Date(day[0]!.timestamp);
  return { kind: 'day', key: date.toDateString(), label: dayLabel(date, now), count: day.length };
}

/** `Today, Thu 19 Nov`, `Wed 18 Nov`, `Fri 4 Mar 2025`. */
function dayLabel(date: Date, now: number): string {
  const text = `${date.toLocaleDateString('en-GB', { weekday: 'short' })} ${formatDay(date, now)}`;
  return date.toDateString() === new Date(now).toDateString() ? `Today, ${text}` : text;
}

function itemOf<Event extends TimelineEvent>(event: Event): TimelineItem<Event> {
  return { kind: 'event', key: event.id, event };
}

function runOf<Event extends TimelineEvent>(run: readonly Event[]): TimelineItem<Event> {
  const looks = run.filter(({ event }) => event === '$pageview' || event === '$screen');
  const noun = looks.some(({ event }) => event === '$pageview') ? 'page' : 'screen';
  const title =
    looks.length > 0
      ? `Viewed ${looks.length} ${noun}${looks.length === 1 ? '' : 's'}`
      : `${run.length} autocaptured events`;
  const span = Date.parse(run[0]!.timestamp) - Date.parse(run.at(-1)!.timestamp);
  return {
    kind: 'run',
    key: `run ${run.at(-1)!.id}`,
    title,
    text: placesOf(looks.length > 0 ? looks : run),
    span: span < 1000 ? '' : formatDuration(span),
    events: [...run],
  };
}

/** The visited pages, in order: `/home, then /invoices, then /invoices/new`. */
function placesOf(run: readonly TimelineEvent[]): string {
  const places = run.map(whereOrWhat).toReversed();
  const steps = places.filter((place, index) => place !== '' && place !== places[index - 1]);
  if (steps.length <= SHOWN_PLACES) return steps.join(', then ');
  return `${steps[0]} to ${steps.at(-1)}`;
}

/** What a session came from, as far as its events tell: `Firefox on Linux, Spain`. */
export function deviceOf({ properties }: NamedEvent): string {
  const text = (key: string) => (typeof properties[key] === 'string' ? (properties[key] as string) : '');
  const device = [text('$browser') || text('$device_model'), text('$os')].filter(Boolean).join(' on ');
  return [device, text('$geoip_city_name') || text('$geoip_country_name')].filter(Boolean).join(', ');
}

function sessionOf({ properties }: NamedEvent): string {
  return typeof properties['$session_id'] === 'string' ? properties['$session_id'] : '';
}

/** Cuts a list where the key changes. */
function splitBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
  const parts: Item[][] = [];
  let last: string | undefined;
  for (const item of items) {
    const key = keyOf(item);
    if (key === last) parts.at(-1)!.push(item);
    else parts.push([item]);
    last = key;
  }
  return parts;
}
