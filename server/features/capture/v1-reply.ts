import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { readClientUuid } from './client-uuid.ts';
import type { JsonObject } from './envelope.ts';
import { parseTime } from './event-time.ts';
import type { Reply } from './opened-request.ts';

/** What became of an event (ingestion contract 5); `warning`: stored, though not quite as it was sent. */
interface V1Result {
  result: 'ok' | 'warning' | 'drop';
  details?: string;
}

/** The answer of capture v1: a result for each uuid, in the sender's own spelling of it. */
export interface V1Reply extends Reply {
  dropped(uuid: unknown, reason: string): void;
  kept(item: JsonObject, row: EventRow): void;
}

/**
 * Collects the results of a batch whose items all have a uuid. An event that comes twice has one result: it is dropped
 * only when no event with its uuid was kept.
 */
export function createV1Reply(items: readonly JsonObject[]): V1Reply {
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
    kept(item, row) {
      const details = changeOf(item, row);
      results.set(String(item['uuid']), details === null ? { result: 'ok' } : { result: 'warning', details });
    },
    notStorable(uuid) {
      for (const key of spellings.get(uuid) ?? []) {
        results.set(key, { result: 'drop', details: 'not_storable' });
      }
    },
    text: () => JSON.stringify({ results: Object.fromEntries(results) }),
  };
}

/** How the stored event differs from the one that was sent, or null. */
function changeOf({ event, distinct_id, timestamp }: JsonObject, row: EventRow): string | null {
  if (typeof event === 'string' && event.length > row.event.length) return 'event_name_truncated';
  if (typeof distinct_id === 'string' && distinct_id.length > row.distinctId.length) {
    return 'distinct_id_truncated';
  }
  return parseTime(timestamp) === null ? 'ignored_invalid_timestamp' : null;
}
