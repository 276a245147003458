import type { MapContext } from '../import-format.ts';
import { sessionUuid, uuidOf } from '../event-line.ts';

/** Says one time of each device that it is a user's, before the first event that has both. */
export function createPairs(context: MapContext, source: string) {
  const seen = new Set<string>();
  return (userId: string, deviceId: string, timestamp: number): void => {
    if (userId === '' || deviceId === '' || userId === deviceId) return;
    const pair = `${userId}\0${deviceId}`;
    if (seen.has(pair)) return;
    seen.add(pair);
    context.emit({
      event: '$identify',
      distinctId: userId,
      timestamp,
      uuid: uuidOf(`${source}|identify|${userId}|${deviceId}`),
      properties: { $anon_distinct_id: deviceId },
    });
  };
}

const HALF_DAY_MS = 43_200_000;

/**
 * Sessions by IDs of another product. PostHog reads a session only under a UUID of version 7 whose time is at most a day
 * before its events: where the start is not known it begins half a day before the first event that the file has of it.
 */
export function createSessions(source: string) {
  const starts = new Map<string, string>();
  return (key: string, startMs: number | null, timestamp: number): string => {
    let id = starts.get(key);
    if (id === undefined) {
      id = sessionUuid(startMs ?? timestamp / 1000 - HALF_DAY_MS, `${source}|${key}`);
      starts.set(key, id);
    }
    return id;
  };
}
