// @ts-check
/**
 * Preloaded into the built server (`node --import`): tells its parent, when asked, which analytic statements have run since it asked
 * last, and the milliseconds that the engine worked on each: from giving it the text to having its last row, without what
 * waits before, between and after.
 */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

/** What a thread is called in its arguments, so that it knows itself. */
const STORE = 'bench-store';

/** @type {Map<number, { sql: string, params: Record<string, unknown>, ms: number }>} */
const open = new Map();
/** @type {{ sql: string, params: Record<string, unknown>, ms: number }[]} */
let done = [];

class WatchedWorker extends workerThreads.Worker {
  /** @param {ConstructorParameters<typeof workerThreads.Worker>} args */
  constructor(...args) {
    const [file, options] = args;
    const isStore = options?.name === 'store';
    super(file, isStore ? { ...options, argv: [STORE] } : options);
    if (!isStore) return;
    this.on('message', ({ kind, id, sql, ms }) => {
      if (kind === 'measured') {
        for (const statement of open.values()) if (statement.sql === sql) statement.ms += ms;
        return;
      }
      const statement = open.get(id);
      if (statement === undefined || (kind !== 'done' && kind !== 'failed')) return;
      open.delete(id);
      done.push(statement);
    });
  }

  /** @param {any} message @param {any} [transfer] @override */
  postMessage(message, transfer) {
    if (message.kind === 'statement' && message.lane === 'analytic')
      open.set(message.id, { sql: message.sql, params: message.params, ms: 0 });
    super.postMessage(message, transfer);
  }
}

// The option is inherited by worker threads, which are not the server.
if (workerThreads.isMainThread) {
  workerThreads.Worker = WatchedWorker;
  syncBuiltinESMExports();
  process.on('message', () => {
    const statements = done;
    done = [];
    process.send?.({ statements: JSON.parse(JSON.stringify(statements, plain)) });
  });
} else if (process.argv.includes(STORE)) await watchEngine();

/** Tells the main thread what the engine takes for each statement whose rows are streamed, as those of analytic lanes are. */
async function watchEngine() {
  const { DuckDBConnection } = await import('@duckdb/node-api');
  const { stream } = DuckDBConnection.prototype;
  /** @param {Parameters<typeof stream>} args @returns {ReturnType<typeof stream>} */
  DuckDBConnection.prototype.stream = async function (...args) {
    const [sql] = args;
    /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    const timed = async (work) => {
      const started = performance.now();
      try {
        return await work();
      } finally {
        workerThreads.parentPort?.postMessage({ kind: 'measured', sql, ms: performance.now() - started });
      }
    };
    const result = await timed(() => stream.apply(this, args));
    const fetchChunk = result.fetchChunk.bind(result);
    result.fetchChunk = () => timed(fetchChunk);
    return result;
  };
}

/** @param {string} _ @param {unknown} value */
function plain(_, value) {
  return typeof value === 'bigint' ? Number(value) : value;
}
