import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { fail, type ApiError } from '../../errors.ts';
import type { DecodedBody } from '../../http/decode.ts';
import { queryValue } from '../../http/query-text.ts';
import { parseTime } from './event-time.ts';
import { checkTokenShape } from './token.ts';

export type JsonObject = Record<string, unknown>;

/** What one capture request says about all of its events, and the events as they were sent. */
export interface Envelope {
  /** Trimmed and of good shape; perhaps of no project. */
  token: string;
  historicalMigration: boolean;
  /** When the device sent the request by its own clock (Unix microseconds), from the body or the form; null: not said. */
  sentAt: number | null;
  /** The same from the query's `_`, which gives way to an event's own `sent_at`. */
  querySentAt: number | null;
  items: readonly JsonObject[];
  /** The error of malformed events; thrown after the key was found (contract 1.8). */
  malformed?: ApiError | undefined;
}

/** `_` counts as a time only after 2020 (Unix milliseconds); before, it is some other counter. */
const EARLIEST_QUERY_TIME = Date.UTC(2020, 0, 1);

/**
 * Reads the shapes a capture request may have (ingestion contract 3.2): an array of events, a batch object, one
 * event, an engage object. Throws invalid_payload for any other shape, and the 401s of table 1.7 for the token; an
 * element that is no object is returned as `malformed`.
 */
export function openEnvelope(
  body: DecodedBody,
  request: { kind: 'capture' | 'engage'; search: string },
): Envelope {
  const batch = Array.isArray(body.json) ? null : objectOrRefuse(body.json);
  const items = itemsOf(body.json, batch);
  const token = checkTokenShape(
    firstKey(batch?.api_key, batch?.token, batch?.$token, body.form.api_key, body.form.token) ??
      keyOfItems(items) ??
      firstKey(queryValue(request.search, 'token'), queryValue(request.search, 'api_key')),
  );
  const malformed = malformedItem(items);
  if (request.kind === 'engage' && malformed === undefined) items.forEach(nameEngageItem);
  return {
    token,
    historicalMigration: batch?.historical_migration === true,
    sentAt: parseTime(batch?.sent_at) ?? parseTime(body.form.sent_at),
    querySentAt: queryTime(request.search),
    items: malformed === undefined ? (items as JsonObject[]) : [],
    malformed,
  };
}

function objectOrRefuse(json: unknown): JsonObject {
  if (isJsonObject(json)) return json;
  throw fail('invalid_payload', {
    detail: 'malformed request data: expected an event, an array of events or a batch.',
  });
}

function itemsOf(json: unknown, batch: JsonObject | null): unknown[] {
  const items = batch === null ? json : batch.batch === undefined ? [batch] : batch.batch;
  if (!Array.isArray(items)) {
    throw fail('invalid_payload', { detail: 'malformed request data: "batch" is not an array.' });
  }
  if (items.length === 0) {
    throw fail('invalid_payload', { detail: 'malformed request data: the request has no event.' });
  }
  return items;
}

function malformedItem(items: readonly unknown[]): ApiError | undefined {
  const index = items.findIndex((item) => !isJsonObject(item));
  if (index === -1) return undefined;
  return fail('invalid_payload', {
    detail: `invalid payload: element ${index} of the batch is not an object.`,
  });
}

/** Mixpanel-style person updates name no event; on the engage path they are `$identify` (3.2.4). */
function nameEngageItem(item: unknown): void {
  const event = item as JsonObject;
  if (event.event === undefined) event.event = '$identify';
}

/** The one key that the events carry, or null when none does. Throws when they disagree. */
function keyOfItems(items: readonly unknown[]): unknown {
  let found: unknown = null;
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    const key = firstKey(item.api_key, item.token, item.$token, keyOfProperties(item.properties));
    if (key === null || key === found) continue;
    if (found === null || found === '') found = key;
    else if (key !== '' && !isSameKey(found, key)) throw fail('inconsistent_api_keys');
  }
  return found;
}

/** `properties.token` of another type than text is a property of the application's own. */
function keyOfProperties(properties: unknown): unknown {
  return isJsonObject(properties) && typeof properties.token === 'string' ? properties.token : null;
}

function isSameKey(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && a.trim() === b.trim();
}

/** The first spelling that is given and not empty; else the empty one, else null. */
function firstKey(...spellings: unknown[]): unknown {
  let empty: unknown = null;
  for (const key of spellings) {
    if (key === undefined || key === null) continue;
    if (key !== '') return key;
    empty = key;
  }
  return empty;
}

function queryTime(search: string): number | null {
  const text = queryValue(search, '_');
  if (text === null || !/^\d{13,15}$/.test(text)) return null;
  const milliseconds = Number(text);
  return milliseconds > EARLIEST_QUERY_TIME ? milliseconds * 1000 : null;
}
