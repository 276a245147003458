// @ts-check
import { fork } from 'node:child_process';

/**
 * The kernel of a virtual machine takes a processor that rests for one that is away, and lays threads that wake up side by side on
 * another: for up to 20 ms an engine of two threads is then one of a single thread. An answer that takes longer than this hides it.
 */
const WOKEN_MS = 200;

/**
 * An engine that answers the questions of `questions.mjs` by their place: milliseconds in it, and the rows.
 * @typedef {object} Engine
 * @property {(at: number) => Promise<{ ms: number, rows: any[][] }>} ask
 * @property {() => Promise<void>} stop
 */

/**
 * Runs a module that calls `answerQuestions` as a process of its own; `opening` is what it opens the engine with.
 * @param {URL} module
 * @param {object} opening
 * @returns {Promise<Engine>}
 */
export async function startEngine(module, opening) {
  const child = fork(module, { env: { ...process.env, UV_THREADPOOL_SIZE: '16' } });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  /** @param {object} message @returns {Promise<any>} */
  const send = (message) =>
    new Promise((resolve, reject) => {
      const onExit = (/** @type {unknown} */ code) =>
        reject(new Error(`${module.pathname} ended without an answer (code ${code}).`));
      child.once('exit', onExit);
      child.once('message', (/** @type {any} */ answer) => {
        child.off('exit', onExit);
        if (answer.failure === undefined) resolve(answer);
        else reject(new Error(answer.failure));
      });
      child.send(message);
    });
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  try {
    await send(opening);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ask: (at) => send({ at }), stop };
}

/**
 * The child process: opens an engine with the first message; each further one names a query. The result of `open` runs it, and
 * returns a function for its rows, which is not timed. A very fast query is run again, on threads that are awake.
 * @param {(opening: any) => Promise<(at: number) => Promise<() => any[][]>>} open
 */
export function answerQuestions(open) {
  /** @type {((at: number) => Promise<() => any[][]>) | undefined} */
  let run;
  /** @param {any} message */
  async function answer(message) {
    if (run === undefined) {
      run = await open(message);
      return {};
    }
    const first = await timed(run, message.at);
    const { ms, rows } = first.ms < WOKEN_MS ? await timed(run, message.at) : first;
    return { ms, rows: rows() };
  }
  process.on('message', (message) => {
    answer(message).then(
      (told) => process.send?.(told),
      (error) => process.send?.({ failure: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit(0));
}

/** @param {(at: number) => Promise<() => any[][]>} run @param {number} at */
async function timed(run, at) {
  const started = performance.now();
  const rows = await run(at);
  return { ms: performance.now() - started, rows };
}
