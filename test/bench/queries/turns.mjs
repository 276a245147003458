// @ts-check
/** A question of a few milliseconds is asked more often than it must be: so often at most, and in so many milliseconds. */
const MOST_RUNS = 30;
const MORE_RUNS_MS = 15_000;

/** The numbers of the turns in which a question is asked: 0, which warms up, and at least so many `runs` after it. @param {number} runs */
export function* turnsOf(runs) {
  const started = performance.now();
  const hasTime = () => performance.now() - started < MORE_RUNS_MS;
  for (let turn = 0; turn <= runs || (turn <= MOST_RUNS && hasTime()); turn += 1) yield turn;
}
