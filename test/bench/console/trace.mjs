// @ts-check

/** What `Tracing.end` gives. @typedef {{ name: string, ph: string, pid: number, tid: number, ts: number, dur?: number, tdur?: number, args?: any }} TraceEvent */

/** What a trace must tell for `workByFrame`: tasks of threads, frames, and the marks of the page. */
export const CATEGORIES = [
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  'devtools.timeline.frame',
  'blink.user_timing',
];

/**
 * Milliseconds of the processor that the main thread of the marked page takes in each frame between two marks: all of its
 * tasks from one beginning of a frame to the next, without the time that it waits for a core.
 * @param {readonly TraceEvent[]} events
 * @param {{ from: string, to: string }} marks Names of `performance.mark`.
 */
export function workByFrame(events, { from, to }) {
  const begun = events.find(({ name }) => name === from);
  const ended = events.find(({ name }) => name === to);
  if (!begun || !ended) throw new Error(`The trace has no marks ${from} and ${to}.`);
  const ofPage = events
    .filter(({ pid, tid, ts }) => pid === begun.pid && tid === begun.tid && ts >= begun.ts && ts < ended.ts)
    .toSorted((a, b) => a.ts - b.ts);
  const starts = ofPage.filter(({ name }) => name === 'BeginMainThreadFrame').map(({ ts }) => ts);
  const tasks = ofPage.filter(({ name, ph }) => name === 'RunTask' && ph === 'X');
  if (starts.length < 2 || tasks.length === 0) throw new Error('The trace has no frames and tasks.');
  const frames = starts.map(() => 0);
  let frame = 0;
  for (const { ts, dur = 0, tdur = dur } of tasks) {
    // The task that begins a frame has begun before it says so.
    while (frame + 1 < starts.length && ts + dur >= (starts[frame + 1] ?? Infinity)) frame += 1;
    frames[frame] = (frames[frame] ?? 0) + tdur / 1000;
  }
  return frames;
}
