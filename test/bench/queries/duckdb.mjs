// @ts-check
/**
 * A process of its own (see `child.mjs`): answers questions from a file of DuckDB. Opened with `{ file, groups }`, each group the
 * statements of one question with their parameters.
 */
import { BIGINT, DuckDBInstance, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import { answerQuestions } from './child.mjs';

/** @typedef {{ sql: string, params: Record<string, any> }} Statement */

/** As the server binds them. @param {Statement['params']} params */
function bindings(params) {
  /** @type {Record<string, any>} */
  const values = {};
  /** @type {Record<string, any>} */
  const types = {};
  for (const [name, value] of Object.entries(params)) {
    if (Array.isArray(value)) {
      const isText = value.some((item) => typeof item === 'string');
      types[name] = LIST(isText ? VARCHAR : BIGINT);
      values[name] = listValue(isText ? value : value.map(BigInt));
    } else values[name] = Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  return { values, types };
}

answerQuestions(async ({ file, groups }) => {
  const instance = await DuckDBInstance.create(file, {
    access_mode: 'READ_ONLY',
    threads: '2',
    memory_limit: '4GB',
  });
  const connection = await instance.connect();
  /** @type {Map<string, import('@duckdb/node-api').DuckDBPreparedStatement>} */
  const prepared = new Map();
  /** As the server does: what has parameters stays prepared. @param {Statement} statement */
  async function read({ sql, params }) {
    if (Object.keys(params).length === 0) return await connection.runAndReadAll(sql);
    const statement = prepared.get(sql) ?? (await connection.prepare(sql));
    prepared.set(sql, statement);
    const { values, types } = bindings(params);
    statement.bind(values, types);
    return await statement.runAndReadAll();
  }
  return async (at) => {
    /** @type {import('@duckdb/node-api').DuckDBResultReader[]} */
    const readers = [];
    for (const statement of /** @type {Statement[]} */ (groups[at])) readers.push(await read(statement));
    // The last statement is the one that answers; those before it look for values.
    return () => /** @type {any[][]} */ (readers.at(-1)?.getRowsJson() ?? []);
  };
});
