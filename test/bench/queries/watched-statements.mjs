// @ts-check
/**
 * Preloaded into the built server (`node --import`): on request, sends its parent the analytic statements since the
 * last request, and the milliseconds that the engine worked on each: from receiving the text to its last row, without
 * waiting times before, between and after.
 */
import { syncBuiltinESMExports } from 'node:module';
import workerThreads from 'node:worker_threads';

/** The argument by which the store thread is recognized. */
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
    this.on('message', ({ kind, id, engineMs }) => {
      for (const [sql, ms] of engineMs ?? [])
        for (const statement of open.values()) if (statement.sql === sql) statement.ms += ms;
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

/**
 * Sends the main thread the engine time of each streamed statement, as those of analytic connections are, including
 * prepared ones.
 */
async function watchEngine() {
  const { DuckDBConnection, DuckDBPreparedStatement } = await import('@duckdb/node-api');
  const { prepare, stream } = DuckDBConnection.prototype;
  const streamPrepared = DuckDBPreparedStatement.prototype.stream;
  /** @type {WeakMap<object, string>} */
  const texts = new WeakMap();
  /** @type {Map<string, number>} Milliseconds by statement, not sent to the main thread yet. */
  const engineMs = new Map();
  /** @template T @param {string} sql @param {() => Promise<T>} work @returns {Promise<T>} */
  const timed = async (sql, work) => {
    const started = performance.now();
    try {
      return await work();
    } finally {
      engineMs.set(sql, (engineMs.get(sql) ?? 0) + performance.now() - started);
    }
  };
  /** @param {string} sql @param {() => ReturnType<typeof stream>} start @returns {ReturnType<typeof stream>} */
  const timedRows = async (sql, start) => {
    const result = await timed(sql, start);
    const fetchChunk = result.fetchChunk.bind(result);
    result.fetchChunk = () => timed(sql, fetchChunk);
    return result;
  };
  DuckDBConnection.prototype.stream = function (...args) {
    return timedRows(args[0], () => stream.apply(this, args));
  };
  DuckDBConnection.prototype.prepare = async function (sql) {
    const statement = await timed(sql, () => prepare.call(this, sql));
    texts.set(statement, sql);
    return statement;
  };
  DuckDBPreparedStatement.prototype.stream = function () {
    const sql = texts.get(this);
    // A statement without a recorded preparation is part of the stream of the connection.
    return sql === undefined ? streamPrepared.call(this) : timedRows(sql, () => streamPrepared.call(this));
  };
  const { parentPort } = workerThreads;
  if (parentPort === null) return;
  // With the answer itself: a message of its own would take the two threads as long as they take for an answer.
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transfer) => {
    if (message.kind !== 'done' && message.kind !== 'failed') return post(message, transfer);
    post({ ...message, engineMs: new Map(engineMs) }, transfer);
    engineMs.clear();
  };
}

/** @param {string} _ @param {unknown} value */
function plain(_, value) {
  return typeof value === 'bigint' ? Number(value) : value;
}
