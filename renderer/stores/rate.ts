import type { MinuteRow } from '../../server/features/ingestion/ingestion.contract.ts';

const MINUTE = 60_000;

/**
 * Events received in the 60 seconds before `now` (Unix milliseconds), from counts per calendar minute:
 * the running minute whole, and of the one before it the part that is not yet a minute ago.
 */
export function eventsPerMinute(rows: readonly MinuteRow[], now: number): number {
  const running = Math.floor(now / MINUTE) * MINUTE;
  const elapsed = (now - running) / MINUTE;
  const receivedIn = (start: number) => rows.find((row) => Date.parse(row.minute) === start)?.received ?? 0;
  return Math.round(receivedIn(running) + receivedIn(running - MINUTE) * (1 - elapsed));
}
