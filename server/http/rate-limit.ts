import type { Clock } from '../lib/clock.ts';

/** Requests per minute and per hour of one key (management contract 2.8). */
export interface Allowance {
  perMinute: number;
  perHour: number;
}

export const GENERAL: Allowance = { perMinute: 480, perHour: 4_800 };
/** Endpoints that read events. */
export const EVENT_READS: Allowance = { perMinute: 240, perHour: 1_200 };

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export interface RateLimiter {
  /** Counts a request. Returns the seconds to wait when it is one too many, else null. */
  take(key: string, allowance: Allowance): number | null;
}

interface Window {
  startedAt: number;
  count: number;
}

/** Fixed windows of a minute and an hour per key, in memory. */
export function createRateLimiter({ clock }: { clock: Clock }): RateLimiter {
  const windows = new Map<string, Window>();

  function secondsToWait(name: string, lengthMs: number, allowed: number, now: number): number | null {
    let window = windows.get(name);
    if (window === undefined || window.startedAt + lengthMs <= now || window.startedAt > now) {
      window = { startedAt: now, count: 0 };
      windows.set(name, window);
    }
    window.count++;
    return window.count > allowed ? Math.ceil((window.startedAt + lengthMs - now) / 1000) : null;
  }

  return {
    take(key, allowance) {
      const now = clock();
      const group = `${key} ${allowance.perHour}`;
      const minute = secondsToWait(`${group} minute`, MINUTE_MS, allowance.perMinute, now);
      const hour = secondsToWait(`${group} hour`, HOUR_MS, allowance.perHour, now);
      return minute === null && hour === null ? null : Math.max(minute ?? 0, hour ?? 0);
    },
  };
}
