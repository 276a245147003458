import type { Clock } from '../lib/clock.ts';

export interface BucketSize {
  /** Requests in one burst. */
  burst: number;
  /** Requests a second that it fills up with again. */
  perSecond: number;
}

/**
 * Rate limits per project token when limits are enabled (ingestion contract 13). PostHog limits flags by a bucket of
 * 500 that gets 10 a second (rust/feature-flags, config.rs); for capture, which it does not limit so, it is our
 * choice.
 */
export const FLAGS_RATE: BucketSize = { burst: 500, perSecond: 10 };
export const CAPTURE_RATE: BucketSize = { burst: 1_000, perSecond: 100 };

export interface TokenBuckets {
  /** Takes one request out of the key's bucket; returns the whole seconds to wait when it is empty, else null. */
  take(key: string): number | null;
}

/** One bucket for each key, full at first. Keys have to be known ones: each stays in memory. */
export function createTokenBuckets({ burst, perSecond, clock }: BucketSize & { clock: Clock }): TokenBuckets {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(key) {
      const now = clock();
      const bucket = buckets.get(key) ?? { left: burst, at: now };
      const refilled = Math.max(0, now - bucket.at) * (perSecond / 1_000);
      const left = Math.min(burst, bucket.left + refilled);
      buckets.set(key, { left: left < 1 ? left : left - 1, at: now });
      return left < 1 ? Math.ceil((1 - left) / perSecond) : null;
    },
  };
}
