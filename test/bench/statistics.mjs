// @ts-check

/**
 * The value below which a share of the values lies (nearest rank); NaN of nothing.
 * @param {readonly number[]} values
 * @param {number} share in [0, 1]
 */
export function percentile(values, share) {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/**
 * The middle value, or the mean of the two in the middle; NaN of nothing.
 * @param {readonly number[]} values
 */
export function median(values) {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
