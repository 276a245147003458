import type { Envelope } from '../../server/features/capture/envelope.ts';
import { type DroppedEvent, normalizeEvent } from '../../server/features/capture/normalize.ts';
import type { EventRow } from '../../server/warehouse/duckdb/event-row.ts';

/** When the events arrive, Unix milliseconds. */
export const NOW = Date.parse('2026-11-20T12:00:00.000Z');

/** The uuid that the server makes. */
export const NEW_ID = '0190f0c1-0000-7000-8000-000000000001';

export const UUID = '0190f0c1-2222-7000-8000-0000000000ff';

/** An envelope that says nothing of its events. */
export const ENVELOPE: Envelope = {
  token: 'phc_1',
  historicalMigration: false,
  sentAt: null,
  querySentAt: null,
  items: [],
};

export type Item = Record<string, unknown>;

/** Through JSON, as an item arrives: a fresh object, with `__proto__` as an own key. */
export function normalize(item: Item, envelope: Partial<Envelope> = {}, clientIp = '') {
  return normalizeEvent(
    JSON.parse(JSON.stringify(item)) as Item,
    { ...ENVELOPE, ...envelope },
    {
      projectId: 1,
      now: NOW,
      clientIp,
      anonymizesIps: false,
      source: '/batch',
      lookup: () => null,
      newId: () => NEW_ID,
    },
  );
}

/** The row of an item that is an event by u1 by default. */
export function stored(
  item: Item,
  envelope?: Partial<Envelope>,
  clientIp?: string,
): EventRow & { properties: string } {
  const { event } = normalize({ event: 'signup', distinct_id: 'u1', ...item }, envelope, clientIp);
  if (event === undefined) throw new Error('the event was dropped');
  if (typeof event.properties !== 'string') throw new Error('parsed properties were not written anew');
  return { ...event, properties: event.properties };
}

/** The properties that are stored of an item with these. */
export function storedProperties(properties: Item, beside: Item = {}): unknown {
  return JSON.parse(stored({ ...beside, properties }).properties);
}

/** Why an item is not stored; undefined when it is. */
export function drop(item: Item): DroppedEvent | undefined {
  return normalize(item).dropped;
}
