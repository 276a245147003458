import type { RouteLocationRaw } from 'vue-router';
import { sourceOf } from './insight-query.ts';
import { hogqlName } from '../ui/hogql-name.ts';
import type { PropertyFilter } from '../ui/property-filter.ts';

/** The events that Explore lists (an EventsQuery, management contract 9.9), every field present. */
export interface EventsQuery {
  kind: 'EventsQuery';
  /** The columns, in their order: expressions of HogQL, with a label behind `--`. */
  select: readonly string[];
  /** Names, any of which matches; empty: all. */
  events: readonly string[];
  properties: readonly PropertyFilter[];
  /** Further conditions in HogQL. */
  where: readonly string[];
  personId: string | null;
  /** A point of an insight, whose persons' events are listed. */
  source: Readonly<Record<string, unknown>> | null;
  filterTestAccounts: boolean;
  after: string;
  before: string | null;
  orderBy: readonly string[];
}

export const PERSON_COLUMN = 'person_display_name -- Person';

export const ALL_EVENTS: EventsQuery = {
  kind: 'EventsQuery',
  select: [
    'timestamp',
    'event',
    PERSON_COLUMN,
    'coalesce(properties.$current_url, properties.$screen_name) -- URL or screen',
    'properties.$lib -- Library',
  ],
  events: [],
  properties: [],
  where: [],
  personId: null,
  source: null,
  filterTestAccounts: false,
  after: '-30d',
  before: null,
  orderBy: ['timestamp DESC'],
};

type Field = keyof typeof ALL_EVENTS;
const FIELDS = Object.keys(ALL_EVENTS).filter((name) => name !== 'kind') as Exclude<Field, 'kind'>[];

/** What aggregates has rows that are no events. */
const AGGREGATE = /\b(?:count|sum|avg|min|max|any|median|uniq\w*|quantile\w*|group\w*|arg(?:Min|Max))\s*\(/i;

/** The events that a stored query lists; `null` for one that lists something else. */
export function eventsQueryOf(query: unknown): EventsQuery | null {
  const source = sourceOf(query);
  if (source?.kind !== 'EventsQuery' || !Array.isArray(source['select'])) return null;
  const select = source['select'].map(String);
  if (select.some((text) => AGGREGATE.test(text))) return null;
  const shown = select
    .filter((text) => text.trim() !== '*')
    .map((text) => (text === 'person' ? PERSON_COLUMN : text));
  const { event, ...rest } = source as { event?: unknown; [key: string]: unknown };
  const names = typeof event === 'string' ? { events: [event] } : {};
  return complete({ ...rest, ...names, select: shown.length > 0 ? shown : ALL_EVENTS.select }, ALL_EVENTS);
}

/** The fields that are there, each of the right form, over those of another query. */
function complete(found: Readonly<Record<string, unknown>>, base: EventsQuery): EventsQuery {
  const next: Record<string, unknown> = { ...base };
  for (const name of FIELDS) {
    const value = found[name];
    if (value === undefined) continue;
    if (value === null) next[name] = ALL_EVENTS[name];
    else if (hasForm(value, name)) next[name] = value;
  }
  return next as unknown as EventsQuery;
}

function hasForm(value: unknown, name: Exclude<Field, 'kind'>): boolean {
  if (name === 'properties') return Array.isArray(value) && value.every((one) => typeof one === 'object');
  if (Array.isArray(ALL_EVENTS[name]))
    return Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (name === 'source') return typeof value === 'object';
  return typeof value === (name === 'filterTestAccounts' ? 'boolean' : 'string');
}

/** The query as it is stored and sent: what is empty is left out. */
export function sentQuery(query: EventsQuery): { kind: string; [key: string]: unknown } {
  const fields = Object.entries(query).filter(
    ([, value]) => value !== null && value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return { kind: query.kind, ...Object.fromEntries(fields) };
}

/** What of a query differs from another one, as JSON for an address; `undefined`: nothing. */
export function changesToText(query: EventsQuery, base: EventsQuery): string | undefined {
  const changed = FIELDS.filter((name) => JSON.stringify(query[name]) !== JSON.stringify(base[name]));
  return changed.length === 0
    ? undefined
    : JSON.stringify(Object.fromEntries(changed.map((name) => [name, query[name]])));
}

/** The query that the changes of an address make of another one; `null` for a text that is no JSON of them. */
export function changesFromText(text: unknown, base: EventsQuery): EventsQuery | null {
  if (typeof text !== 'string') return null;
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === 'object' && found !== null
      ? complete(found as Record<string, unknown>, base)
      : null;
  } catch {
    return null;
  }
}

/** The way to Explore with these events. */
export function exploreLink(projectId: number, events: Partial<Omit<EventsQuery, 'kind'>>): RouteLocationRaw {
  const q = changesToText({ ...ALL_EVENTS, ...events }, ALL_EVENTS);
  return { name: 'explore', params: { projectId }, ...(q !== undefined && { query: { q } }) };
}

/** The column of a property of events or of their persons. */
export function propertyColumn(type: 'event' | 'person', name: string): string {
  return `${type === 'person' ? 'person.' : ''}properties.${hogqlName(name)}`;
}

/** An expression without its label. */
export function expressionOf(column: string): string {
  const at = column.lastIndexOf('--');
  return (at < 0 ? column : column.slice(0, at)).trim();
}

const FIXED_LABELS: Readonly<Record<string, string>> = {
  timestamp: 'Time',
  event: 'Event',
  person_display_name: 'Person',
  distinct_id: 'Distinct ID',
};

/** What a column is called: its label, else the name of the property. */
export function columnLabel(column: string): string {
  const at = column.lastIndexOf('--');
  const label = at < 0 ? '' : column.slice(at + 2).trim();
  if (label !== '') return label;
  const expression = expressionOf(column);
  const [, backticked, plain] = /^(?:person\.)?properties\.(?:`(.*)`|([\w$]+))$/.exec(expression) ?? [];
  return FIXED_LABELS[expression] ?? backticked?.replace(/\\([\\`])/g, '$1') ?? plain ?? expression;
}
