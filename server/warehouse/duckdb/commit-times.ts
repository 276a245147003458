/** Commits remembered for the summary. */
const KEPT = 512;

export interface CommitTimes {
  /** Commits since the start. */
  count: number;
  /** Milliseconds over the last 512 commits; 0 before the first. */
  p50Ms: number;
  p95Ms: number;
  maxMs: number;
  /** Events in one commit, over the same commits. */
  eventsMin: number;
  eventsMax: number;
}

/** Remembers how long the last commits took and how much they held. */
export function createCommitTimes(): { add(rows: number, ms: number): void; summary(): CommitTimes } {
  const times = new Float64Array(KEPT);
  const sizes = new Uint32Array(KEPT);
  let count = 0;
  return {
    add(rows, ms) {
      times[count % KEPT] = ms;
      sizes[count % KEPT] = rows;
      count++;
    },
    summary() {
      const kept = Math.min(count, KEPT);
      if (kept === 0) return { count: 0, p50Ms: 0, p95Ms: 0, maxMs: 0, eventsMin: 0, eventsMax: 0 };
      const sorted = times.slice(0, kept).sort();
      const at = (share: number): number => sorted[Math.min(kept - 1, Math.floor(kept * share))]!;
      const held = sizes.subarray(0, kept);
      return {
        count,
        p50Ms: at(0.5),
        p95Ms: at(0.95),
        maxMs: sorted[kept - 1]!,
        eventsMin: Math.min(...held),
        eventsMax: Math.max(...held),
      };
    },
  };
}
