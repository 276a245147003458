// @ts-check
import { fork } from 'node:child_process';

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
 * The other side: opens an engine with the first message; each further one names a question. What `open` gives runs it, and
 * gives the way to its rows, which is not timed.
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
    const started = performance.now();
    const rows = await run(message.at);
    const ms = performance.now() - started;
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
