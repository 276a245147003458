const DELAYS_MS = [200, 1_000, 3_000, 10_000];
const FORGOTTEN_AFTER_MS = 60_000;

/**
 * How long to wait, in milliseconds, before the server is started again, or null to give up.
 * `crashes` are the times (Unix ms) at which it ended unasked, the newest last; those older than a minute are forgiven.
 */
export function restartDelay(crashes: readonly number[], now: number): number | null {
  const recent = crashes.filter((crash) => now - crash < FORGOTTEN_AFTER_MS).length;
  return DELAYS_MS[Math.max(recent, 1) - 1] ?? null;
}
