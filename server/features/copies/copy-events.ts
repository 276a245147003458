import { setTimeout as sleep } from 'node:timers/promises';
import type { CopyState } from './copy-state.ts';
import { CopyError, NoAnswer, RefusedByHost, type HostClient } from './host-client.ts';

/** An event as it is stored. */
export interface SourceEvent {
  uuid: string;
  event: string;
  distinctId: string;
  /** ISO 8601, UTC, with microseconds. */
  timestamp: string;
  /** Unix microseconds. */
  at: string;
  /** JSON text of an object. */
  properties: string;
  elementsChain: string;
}

/** Rows of one answer, fewer where events are large. */
const PAGE = 2_000;
const MIN_PAGE = 10;
/** Microseconds of the first part of time that is read; a part without events is followed by a longer one. */
const SPAN = 86_400_000_000n;
const MAX_SPAN = SPAN * 4_000n;
const MIN_SPAN = 60_000_000n;
const BATCH_EVENTS = 500;
const BATCH_CHARACTERS = 1_000_000;
/** PostHog names a few thousand a second as what it takes. */
const EVENTS_PER_SECOND = 2_000;

const COLUMNS =
  "toString(uuid), event, distinct_id, toString(toTimeZone(timestamp, 'UTC')), toUnixTimestamp64Micro(timestamp), properties, elements_chain";

export const moment = (micros: string | bigint): string => `fromUnixTimestamp64Micro(${micros})`;

/** Pages of events by time, from behind `after` on; what was received after a moment is not among them. */
export async function* readEvents(
  source: HostClient,
  { first, last, receivedUntil }: Pick<CopyState, 'first' | 'last' | 'receivedUntil'>,
  after: CopyState['event'],
): AsyncGenerator<SourceEvent[]> {
  if (first === null || last === null) return;
  const end = BigInt(last) + 1n;
  let from = after ?? { at: first, uuid: '' };
  let [limit, span] = [PAGE, SPAN];
  while (BigInt(from.at) < end) {
    const to = BigInt(from.at) + span < end ? BigInt(from.at) + span : end;
    let page: SourceEvent[];
    try {
      const rows = await source.rows(
        `SELECT ${COLUMNS} FROM events WHERE timestamp >= ${moment(from.at)} AND timestamp < ${moment(to)}
           AND (timestamp > ${moment(from.at)} OR toString(uuid) > {uuid}) AND created_at <= ${moment(receivedUntil)}
         ORDER BY timestamp, toString(uuid) LIMIT ${limit}`,
        { uuid: from.uuid },
      );
      page = rows.map(eventOf);
    } catch (error) {
      // A host may refuse, or not finish, what it has not the memory or time for.
      if (!isTooMuch(error) || (limit === MIN_PAGE && span === MIN_SPAN)) throw error;
      limit = Math.max(MIN_PAGE, Math.floor(limit / 4));
      span = span / 8n > MIN_SPAN ? span / 8n : MIN_SPAN;
      continue;
    }
    if (page.length > 0) yield page;
    const end_ = page.at(-1);
    if (page.length === limit) from = { at: end_!.at, uuid: end_!.uuid };
    else {
      from = { at: String(to), uuid: '' };
      span = span * 2n < MAX_SPAN ? span * 2n : MAX_SPAN;
    }
  }
}

function isTooMuch(error: unknown): boolean {
  if (error instanceof RefusedByHost) return error.status >= 500 || error.status === 400;
  return error instanceof NoAnswer || (error instanceof CopyError && /too large/.test(error.message));
}

function eventOf(row: readonly unknown[]): SourceEvent {
  const [uuid, event, distinctId, time, at, properties, elementsChain] = row;
  return {
    uuid: String(uuid),
    event: String(event),
    distinctId: String(distinctId),
    timestamp: `${String(time)
      .replace(' ', 'T')
      .replace(/\+00:00$|Z$/, '')}Z`,
    at: numberText(at),
    properties: typeof properties === 'string' && properties !== '' ? properties : '{}',
    elementsChain: typeof elementsChain === 'string' ? elementsChain : '',
  };
}

/** A whole number of an answer: beyond 2^53 it is a text, or one that keeps its digits. */
export function numberText(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'text' in value) return String(value.text);
  return String(value);
}

/** The event as `/batch/` takes it: as it is stored, and the place of the sender is not looked up. */
export function batchText({
  uuid,
  event,
  distinctId,
  timestamp,
  properties,
  elementsChain,
}: SourceEvent): string {
  const inside = properties.trim().slice(1, -1).trim();
  const more = [
    ...(inside === '' ? [] : [inside]),
    ...(elementsChain === '' ? [] : [`"$elements_chain":${JSON.stringify(elementsChain)}`]),
    // Of two members of one name the last one counts.
    '"$geoip_disable":true',
  ];
  return `{"event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(distinctId)},"timestamp":"${timestamp}","uuid":"${uuid}","properties":{${more.join(',')}}}`;
}

/** Sends all events, oldest first; the state names the last one that has arrived. */
export async function sendEvents(
  source: HostClient,
  target: HostClient,
  state: CopyState,
  { save, signal }: { save: () => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const begun = performance.now();
  let sent = 0;
  let batch: string[] = [];
  let characters = 0;
  let end: SourceEvent | null = null;

  async function flush(): Promise<void> {
    if (batch.length === 0) return;
    await target.send(batch);
    sent += batch.length;
    state.copied.events += batch.length;
    state.event = { at: end!.at, uuid: end!.uuid };
    [batch, characters] = [[], 0];
    await save();
    const early = (sent / EVENTS_PER_SECOND) * 1000 - (performance.now() - begun);
    if (early > 0) await sleep(early, undefined, { signal });
  }

  for await (const page of readEvents(source, state, state.event)) {
    for (const event of page) {
      const text = batchText(event);
      if (batch.length >= BATCH_EVENTS || characters + text.length > BATCH_CHARACTERS) await flush();
      batch.push(text);
      characters += text.length;
      end = event;
      state.distinctId ??= event.distinctId;
    }
    await flush();
  }
}

/** Reads from when to when there are events, and how many, of those that were received by then. */
export async function readRange(source: HostClient, state: CopyState): Promise<void> {
  const micros = (what: string): string => `toUnixTimestamp64Micro(${what}(timestamp))`;
  const [row] = await source.rows(
    `SELECT count(), ${micros('min')}, ${micros('max')} FROM events WHERE created_at <= ${moment(state.receivedUntil)} LIMIT 1`,
  );
  const count = Number(row?.[0] ?? 0);
  state.totals.events = count;
  [state.first, state.last] = count === 0 ? [null, null] : [numberText(row![1]), numberText(row![2])];
}
