import { readClientUuid } from './client-uuid.ts';
import type { JsonObject } from './envelope.ts';
import type { EventWarning } from './event-warnings.ts';
import type { Reply } from './opened-request.ts';

/** What became of an event (ingestion contract 5); `warning`: stored, though not quite as it was sent. */
interface V1Result {
  result: 'ok' | 'warning' | 'drop';
  details?: string;
}

/** The answer of capture v1: a result for each uuid, in the sender's own spelling of it. */
export interface V1Reply extends Reply {
  dropped(uuid: unknown, reason: string): void;
  kept(item: JsonObject, warnings: readonly EventWarning[] | null): void;
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
    kept(item, warnings) {
      const details = warnings?.[0]?.type ?? (isSaid(item['timestamp']) ? null : 'ignored_invalid_timestamp');
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

/** Capture v1 wants a time with every event. */
function isSaid(timestamp: unknown): boolean {
  return timestamp !== undefined && timestamp !== null;
}
