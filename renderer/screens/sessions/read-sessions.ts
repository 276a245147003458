import { askQuery } from '../../api/query.api.ts';
import type { SpanMoments } from '../../ui/dates/span-moments.ts';
import { subtitleOf, titleOf } from '../../ui/person-labels.ts';

/** A session as the list and its page show it. */
export interface SessionRow {
  id: string;
  start: string;
  /** Seconds. */
  duration: number;
  events: number;
  /** Pages and screens. */
  views: number;
  entry: string;
  exit: string;
  /** Without the path. */
  host: string;
  channel: string;
  referrer: string;
  personId: string | null;
  name: string;
  /** The email address or ID beside the name; empty where that is the name. */
  detail: string;
}

const COLUMNS = [
  'session_id',
  '$start_timestamp',
  '$session_duration',
  '$event_count',
  '$pageview_count + $screen_count',
  '$entry_pathname',
  '$end_pathname',
  '$entry_hostname',
  '$channel_type',
  '$entry_referring_domain',
  'person_id',
  'distinct_id',
  'person.properties.name',
  'person.properties.email',
];

/** Columns of the list by which it can be sorted. */
export const SESSION_ORDERS = {
  start: '$start_timestamp',
  duration: '$session_duration',
  events: '$event_count',
};

/** The channels of sessions, as the server names them. */
export const CHANNELS = [
  'Direct',
  'Organic Search',
  'Organic Social',
  'Organic Video',
  'Organic Shopping',
  'Referral',
  'Email',
  'Paid Search',
  'Paid Social',
  'Paid Video',
  'Paid Shopping',
  'Paid Unknown',
  'Cross Network',
  'Display',
  'Affiliate',
  'AI',
  'Audio',
  'SMS',
  'Push',
  'Unknown',
] as const;

interface SessionsAsked extends SpanMoments {
  search: string;
  /** Empty: all. */
  channel: string;
  /** One of `SESSION_ORDERS`, with `-` for descending. */
  order: string;
  limit: number;
  offset: number;
}

/** Sessions that began in a span, and how many there are. */
export async function readSessions(
  projectId: number,
  { from, to, search, channel, order, limit, offset }: SessionsAsked,
): Promise<{ results: SessionRow[]; count: number }> {
  const values: Record<string, unknown> = {};
  const where: string[] = [];
  if (from !== null) where.push(`$start_timestamp >= ${momentText(from)}`);
  if (to !== null) where.push(`$start_timestamp < ${momentText(to)}`);
  if (channel !== '') {
    values['channel'] = channel;
    where.push('$channel_type = {channel}');
  }
  if (search !== '') {
    values['text'] = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`;
    const searched = [
      'session_id',
      'distinct_id',
      '$entry_pathname',
      '$end_pathname',
      'person.properties.name',
      'person.properties.email',
    ];
    where.push(`(${searched.map((column) => `${column} ILIKE {text}`).join(' OR ')})`);
  }
  const condition = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  const isDescending = order.startsWith('-');
  const by = `${order.replace(/^-/, '')} ${isDescending ? 'DESC' : 'ASC'}, session_id`;
  const ask = async (query: string) =>
    (await askQuery(projectId, { kind: 'HogQLQuery', query, values })).results as unknown[][];
  const [rows, [[count] = [0]]] = await Promise.all([
    ask(
      `SELECT ${COLUMNS.join(', ')} FROM sessions${condition} ORDER BY ${by} LIMIT ${limit} OFFSET ${offset}`,
    ),
    ask(`SELECT count() FROM sessions${condition}`),
  ]);
  return { results: rows.map(sessionOf), count: Number(count) };
}

/** A session by its ID; `null`: there is none. */
export async function readSession(projectId: number, id: string): Promise<SessionRow | null> {
  const query = `SELECT ${COLUMNS.join(', ')} FROM sessions WHERE session_id = {id} LIMIT 1`;
  const { results } = await askQuery(projectId, { kind: 'HogQLQuery', query, values: { id } });
  const [row] = results as unknown[][];
  return row ? sessionOf(row) : null;
}

function momentText(moment: number): string {
  return `toDateTime64('${new Date(moment).toISOString().replace('T', ' ').replace('Z', '')}', 6, 'UTC')`;
}

function sessionOf(cells: readonly unknown[]): SessionRow {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const [
    id,
    start,
    duration,
    events,
    views,
    entry,
    exit,
    host,
    channel,
    referrer,
    personId,
    distinctId,
    name,
    email,
  ] = cells;
  const named = {
    name: text(email) || text(distinctId),
    distinct_ids: [text(distinctId)],
    properties: { ...(text(name) && { name }), ...(text(email) && { email }) },
  };
  return {
    id: text(id),
    start: text(start),
    duration: Number(duration),
    events: Number(events),
    views: Number(views),
    entry: text(entry),
    exit: text(exit),
    host: text(host),
    channel: text(channel),
    referrer: text(referrer),
    personId: text(personId) || null,
    name: titleOf(named),
    detail: subtitleOf(named),
  };
}
