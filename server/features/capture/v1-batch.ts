import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { fail } from '../../errors.ts';
import type { DecodedLimits } from '../../http/body-limits.ts';
import { decodeJson } from '../../http/decode.ts';
import { inflateAs } from '../../http/inflate.ts';
import type { HeaderClaims, RawCapture } from './capture-messages.ts';
import { readClientUuid } from './client-uuid.ts';
import type { Envelope, JsonObject } from './envelope.ts';
import { parseTime } from './event-time.ts';
import { normalizeEvent, type DropReason, type NormalizeContext, type Normalized } from './normalize.ts';
import type { OpenedRequest, Reply } from './opened-request.ts';
import type { EventWarning } from './event-warnings.ts';

/** What became of an event (ingestion contract 5); `warning`: stored, though not quite as it was sent. */
interface V1Result {
  result: 'ok' | 'warning' | 'drop';
  details?: string;
}

/** The answer of capture v1: a result for each uuid, in the sender's own spelling of it. */
interface V1Reply extends Reply {
  dropped(uuid: unknown, reason: string): void;
  kept(item: JsonObject, warnings: readonly EventWarning[] | null): void;
}

/**
 * Collects the results of a batch whose items all have a uuid. An event that comes twice has one result: it is dropped
 * only when no event with its uuid was kept.
 */
function createV1Reply(items: readonly JsonObject[]): V1Reply {
  const results = new Map<string, V1Result>();
  /** The spellings under which a uuid was sent. */
  const spellings = new Map<string, Set<string>>();
  for (const { uuid } of items) {
    const canonical = readClientUuid(uuid)!;
    const known = spellings.get(canonical);
    if (known === undefined) spellings.set(canonical, new Set([String(uuid)]));
    else known.add(String(uuid));
  }

  return {
    dropped(uuid, reason) {
      const key = String(uuid);
      if (!results.has(key)) results.set(key, { result: 'drop', details: reason });
    },
    kept(item, warnings) {
      const details = warnings?.[0]?.type ?? (isSaid(item['timestamp']) ? null : 'ignored_invalid_timestamp');
      results.set(String(item['uuid']), details === null ? { result: 'ok' } : { result: 'warning', details });
    },
    notStored(uuid, reason) {
      for (const key of spellings.get(uuid) ?? []) {
        results.set(key, { result: 'drop', details: reason });
      }
    },
    text: () => JSON.stringify({ results: Object.fromEntries(results) }),
  };
}

/** Capture v1 requires a time in every event. */
function isSaid(timestamp: unknown): boolean {
  return timestamp !== undefined && timestamp !== null;
}

/** Placeholder distinct IDs; capture v1 drops events with one (ingestion contract 5). */
const ILLEGAL_DISTINCT_IDS: ReadonlySet<string> = new Set(
  '0 00000000-0000-0000-0000-000000000000 anonymous anonymous-user backend distinct_id distinctid email false guest id nan none not_authenticated null system true undefined user'
    .split(' ')
    .concat('[object object]'),
);

/** Options of an event and the properties that they set. */
const OPTIONS: readonly (readonly [option: string, property: string])[] = [
  ['process_person_profile', '$process_person_profile'],
  ['cookieless_mode', '$cookieless_mode'],
  ['disable_skew_adjustment', '$ignore_sent_at'],
  // What posthog-node calls it.
  ['disable_skew_correction', '$ignore_sent_at'],
  ['product_tour_id', '$product_tour_id'],
];

/**
 * Opens a batch of capture v1 (ingestion contract 5): unpacked as Content-Encoding alone says, each event with a uuid,
 * under which its result is answered. Throws invalid_payload for what makes the whole request malformed.
 */
export function openV1Batch(request: RawCapture, bytes: Uint8Array, limits: DecodedLimits): OpenedRequest {
  const claims = request.claims!;
  const body = decodeJson(inflateAs(request.contentEncoding, bytes, limits));
  const batch = isJsonObject(body) ? body['batch'] : undefined;
  if (!isJsonObject(body) || !Array.isArray(batch))
    throw malformed('expected an object with a "batch" of events');
  if (batch.length === 0) throw malformed('the batch has no events');
  if (body['created_at'] !== undefined && parseTime(body['created_at']) === null) {
    throw malformed('"created_at" is not a valid time');
  }
  const items = batch.map((item, index) => usualItem(item, index, claims));
  const reply = createV1Reply(items);
  const isInternal = body['capture_internal'] === true;
  return {
    envelope: {
      token: claims.token,
      historicalMigration: body['historical_migration'] === true,
      sentAt: claims.sentAt,
      querySentAt: null,
      items,
    },
    normalize: (item, envelope, context) =>
      judge(item, envelope, isInternal ? { ...context, clientIp: '127.0.0.1' } : context, reply),
    reply,
    notKept: null,
  };
}

/** The event as capture v0 sends it: options, session, window and SDK are properties again. */
function usualItem(item: unknown, index: number, { lib, libVersion }: HeaderClaims): JsonObject {
  if (!isJsonObject(item)) throw malformed(`element ${index} of the batch is not an object`);
  const { event, uuid, distinct_id, timestamp } = item;
  if (readClientUuid(uuid) === null) throw malformed(`element ${index} of the batch has no uuid`);
  const own = item['properties'] ?? {};
  const properties = isJsonObject(own)
    ? { $lib: lib, $lib_version: libVersion, ...own, ...promoted(item) }
    : own;
  return { event, uuid, distinct_id, timestamp, properties };
}

function promoted(item: JsonObject): JsonObject {
  const options = isJsonObject(item['options']) ? item['options'] : {};
  const properties: JsonObject = {};
  const set = (name: string, value: unknown): void => {
    if (value !== undefined && value !== null) properties[name] = value;
  };
  set('$session_id', item['session_id']);
  set('$window_id', item['window_id']);
  for (const [option, property] of OPTIONS) set(property, options[option]);
  return properties;
}

/** As normalizeEvent, and by the further rules of capture v1; notes the result of each event. */
function judge(item: JsonObject, envelope: Envelope, context: NormalizeContext, reply: V1Reply): Normalized {
  const normalized = isJsonObject(item['properties'])
    ? normalizeEvent(item, envelope, context)
    : dropped(item, 'invalid_properties');
  const { event } = normalized;
  const verdict =
    event !== undefined && ILLEGAL_DISTINCT_IDS.has(event.distinctId.trim().toLowerCase())
      ? dropped(item, 'illegal_distinct_id', event.lib, event.libVersion)
      : normalized;
  if (verdict.event === undefined) reply.dropped(item['uuid'], verdict.dropped.reason);
  else reply.kept(item, verdict.warnings);
  return verdict;
}

function dropped(item: JsonObject, reason: DropReason, lib = '', libVersion = ''): Normalized {
  const event = typeof item['event'] === 'string' ? item['event'] : '';
  return { dropped: { reason, event, lib, libVersion } };
}

function malformed(what: string): Error {
  return fail('invalid_payload', { detail: `malformed request data: ${what}.` });
}
