// @ts-check
/**
 * Preloaded into the built server (`node --import`) by the `busy` measure, because no route offers a query of ten
 * seconds. On a message from the parent it sends the store thread, as `server/db/client.ts` does, six analytic
 * statements that are interrupted after ten seconds, and reports how many ran that long.
 */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

const QUERIES = 6;
const QUERY_MS = 10_000;
const ENDLESS = 'SELECT sum(hash(a.range, b.range)) FROM range(1000000000) a, range(1000) b';
/** Far beyond the ids that the server itself gives to its statements in a run. */
const FIRST_ID = 1_000_000_000;

/** @type {import('node:worker_threads').Worker | undefined} */
let store;

class WatchedWorker extends workerThreads.Worker {
  /** @param {ConstructorParameters<typeof workerThreads.Worker>} args */
  constructor(...args) {
    super(...args);
    if (args[1]?.name === 'store') store = this;
  }
}

function runQueries() {
  let ended = 0;
  let interrupted = 0;
  const onMessage = (/** @type {any} */ { kind, id, failure }) => {
    if (!(id >= FIRST_ID) || (kind !== 'done' && kind !== 'failed')) return;
    ended += 1;
    if (failure?.reason === 'interrupted') interrupted += 1;
    if (ended < QUERIES) return;
    store?.off('message', onMessage);
    process.send?.({ interrupted });
  };
  store?.on('message', onMessage);
  for (let n = 0; n < QUERIES; n += 1) {
    const query = { sql: ENDLESS, params: {}, timeoutMs: QUERY_MS, stream: false };
    store?.postMessage({ kind: 'statement', id: FIRST_ID + n, lane: 'analytic', ...query });
  }
}

// The option is inherited by worker threads, which are not the server.
if (workerThreads.isMainThread) {
  workerThreads.Worker = WatchedWorker;
  syncBuiltinESMExports();
  process.on('message', runQueries);
}
