import type { Refresh } from './query.contract.ts';
import type { AnsweringOptions } from './query.service.ts';

/** The refresh mode of a request. */
export interface RefreshMode {
  readonly answers: AnsweringOptions['answers'];
  /** Uncached results are computed asynchronously. */
  readonly isAsync: boolean;
}

const COMPUTED = { answers: 'any', isAsync: false } as const;
const LATER = { answers: 'any', isAsync: true } as const;
const FRESH = { answers: 'fresh', isAsync: false } as const;

const MODES: Readonly<Record<string, RefreshMode>> = {
  blocking: COMPUTED,
  async: LATER,
  lazy_async: LATER,
  force_blocking: FRESH,
  force_async: { answers: 'fresh', isAsync: true },
  force_cache: { answers: 'known', isAsync: false },
  true: FRESH,
  True: FRESH,
  '1': FRESH,
};

/**
 * How an answer is to be come by (management contract 3.4, 9.9). An answer that is known is true: the modes that allow old
 * ones find none.
 */
export function refreshMode(refresh: Refresh | null | undefined): RefreshMode {
  return MODES[String(refresh)] ?? COMPUTED;
}
