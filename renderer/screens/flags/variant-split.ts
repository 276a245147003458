/** Shares of variants in percent, in hundredths at the finest, 100 together. */

const WHOLE = 100;
const round = (share: number): number => Math.round(share * 100) / 100;

/** Equal whole shares; the remainder is added to the first ones: 34, 33, 33. */
export function evenShares(count: number): number[] {
  const base = Math.floor(WHOLE / count);
  return Array.from({ length: count }, (_, index) => base + (index < WHOLE - base * count ? 1 : 0));
}

/** Where one variant ends and the next begins: 34 and 67 for 34, 33, 33. */
export function boundsOf(shares: readonly number[]): number[] {
  let end = 0;
  return shares.slice(0, -1).map((share) => (end = round(end + share)));
}

/** The shares between dragged bounds. */
export function sharesOf(bounds: readonly number[]): number[] {
  const all = [0, ...bounds.map((bound) => Math.min(WHOLE, Math.max(0, bound))), WHOLE];
  return all.slice(1).map((bound, index) => round(Math.max(0, bound - all[index]!)));
}

/** Gives one variant a share; the ones after it give way first, the nearest before others, then those before it. */
export function withShare(shares: readonly number[], index: number, share: number): number[] {
  if (shares.length === 1) return [WHOLE];
  const next = [...shares];
  next[index] = round(Math.min(WHOLE, Math.max(0, share)));
  let excess = round(next.reduce((sum, one) => sum + one, 0) - WHOLE);
  const others = [...shares.keys()].slice(index + 1).concat([...shares.keys()].slice(0, index).toReversed());
  if (excess < 0) next[others[0]!] = round(next[others[0]!]! - excess);
  for (const other of others) {
    if (excess <= 0) break;
    const given = Math.min(next[other]!, excess);
    next[other] = round(next[other]! - given);
    excess = round(excess - given);
  }
  return next;
}

/** The shares after one variant was removed: its share is added to the previous one, or the next. */
export function withoutShare(shares: readonly number[], index: number): number[] {
  const left = shares.toSpliced(index, 1);
  if (left.length === 0) return [];
  const heir = Math.max(0, index - 1);
  return left.with(heir, round(left[heir]! + shares[index]!));
}
