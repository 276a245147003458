// @ts-check
/**
 * A query of a few milliseconds is run more often than required: at most this many times, and for this many
 * milliseconds.
 */
const MOST_RUNS = 30;
const MORE_RUNS_MS = 15_000;

/** The numbers of the turns of a query: 0, which warms up, and at least this many `runs` after it. @param {number} runs */
export function* turnsOf(runs) {
  const started = performance.now();
  const hasTime = () => performance.now() - started < MORE_RUNS_MS;
  for (let turn = 0; turn <= runs || (turn <= MOST_RUNS && hasTime()); turn += 1) yield turn;
}
