import type { DuckDBConnection } from '@duckdb/node-api';

const HOUR_MS = 3_600_000;
/** A larger step between two readings means that the clock has jumped, or that Burrow was off. */
const JUMP_MS = 48 * HOUR_MS;
/** How long the clock must run on after a jump before it is trusted. */
const WAIT_MS = 24 * HOUR_MS;
/** Minimum interval between two saved readings. */
const KEPT_EVERY_MS = HOUR_MS;

/** The saved readings of the clock, Unix ms. */
export interface Readings {
  trusted: number;
  /** Where the clock has jumped to; null when it has not. */
  jumpedTo: number | null;
}

/**
 * Updates the trusted time with a reading. A clock that jumps forward would make retention delete everything, so time
 * only advances from the last trusted reading, and a jump is trusted after the clock has run on for a day.
 */
export function takeReading({ trusted, jumpedTo }: Readings, now: number): Readings {
  if (now - trusted <= JUMP_MS) return { trusted: Math.max(trusted, now), jumpedTo: null };
  if (jumpedTo === null || now < jumpedTo || now - jumpedTo > JUMP_MS) return { trusted, jumpedTo: now };
  return now - jumpedTo >= WAIT_MS ? { trusted: now, jumpedTo: null } : { trusted, jumpedTo };
}

/** The time for retention at `now`: never later than the clock, nor than the trusted reading. */
export async function readTrustedTime(connection: DuckDBConnection, now: number): Promise<number> {
  const rows = await connection.runAndReadAll('SELECT trusted, jumped_to FROM retention_clock');
  const [trusted, jumpedTo] = (rows.getRows()[0] ?? [now, null]) as [number, number | null];
  const next = takeReading({ trusted, jumpedTo }, now);
  const isNews = next.jumpedTo !== jumpedTo || next.trusted - trusted >= KEPT_EVERY_MS;
  if (rows.currentRowCount === 0)
    await connection.run('INSERT INTO retention_clock VALUES ($trusted, NULL)', { trusted: next.trusted });
  else if (isNews)
    await connection.run('UPDATE retention_clock SET trusted = $trusted, jumped_to = $jumpedTo', { ...next });
  return Math.min(now, next.trusted);
}
