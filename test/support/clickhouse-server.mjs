// @ts-check
/**
 * A process of its own that speaks ClickHouse's HTTP interface over npm `chdb`: `node clickhouse-server.mjs <module> <folder> [port]`.
 * It prints its port. Each request has a session of its own, so that settings do not stay.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const [modulePath = '', folder = '', port = '0'] = process.argv.slice(2);
const { Session } = createRequire(import.meta.url)(modulePath);
/** Keeps the folder open: sessions of requests come and go. */
const keeper = new Session(folder);
keeper.query('SELECT 1');

/** Of the URL, but no settings. */
const NOT_SETTINGS = new Set([
  'query',
  'database',
  'query_id',
  'session_id',
  'role',
  'default_format',
  'wait_end_of_query',
  'enable_http_compression',
  'cancel_http_readonly_queries_on_client_close',
]);

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;

/** @param {URLSearchParams} params @param {Buffer} body */
async function answer(params, body) {
  const session = new Session(folder);
  try {
    if (params.has('database')) session.query(`USE \`${params.get('database')}\``);
    for (const [name, value] of params) {
      if (NOT_SETTINGS.has(name)) continue;
      session.query(
        name.startsWith('param_')
          ? `SET ${name} = ${quoted(value)}`
          : `SET ${name} = ${/^-?[\d.]+$/.test(value) ? value : quoted(value)}`,
      );
    }
    const query = params.get('query');
    if (query === null) return await run(session, body.toString('utf8'));
    const insert = /^\s*INSERT\s+INTO\s+(\S+)\s*(\([^)]*\))?\s*FORMAT\s+(\w+)\s*$/i.exec(query);
    if (insert === null) return await run(session, `${query}\n${body.toString('utf8')}`);
    // Binary rows cannot be in the text of a statement.
    const file = join(folder, `upload-${randomUUID()}`);
    writeFileSync(file, body);
    try {
      const [, table, columns = '', format] = insert;
      return await run(
        session,
        `INSERT INTO ${table} ${columns} SELECT * FROM file(${quoted(file)}, ${quoted(format ?? '')})`,
      );
    } finally {
      rmSync(file, { force: true });
    }
  } finally {
    session.close();
  }
}

/** @param {any} session @param {string} sql */
async function run(session, sql) {
  const [, format] = /\sFORMAT\s+(\w+)\s*$/i.exec(sql) ?? [];
  const plain = format === undefined ? sql : sql.replace(/\sFORMAT\s+\w+\s*$/i, '');
  const result = await session.queryAsync(plain, { format: format ?? 'TabSeparated' });
  return result.bytes();
}

const server = createServer({ maxHeaderSize: 1_048_576, keepAliveTimeout: 10_000 }, (req, res) => {
  /** @type {Buffer[]} */
  const pieces = [];
  req.on('data', (piece) => pieces.push(piece));
  req.on('end', () => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://localhost');
    if (pathname === '/ping') return res.end('Ok.\n');
    const given = Buffer.concat(pieces);
    const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(given) : given;
    answer(searchParams, body).then(
      (bytes) => {
        res.setHeader('X-ClickHouse-Summary', '{}');
        res.end(bytes);
      },
      (error) => {
        const message = String(error.message ?? error);
        const code = /Code: (\d+)/.exec(message)?.[1] ?? '1';
        res
          .writeHead(500, { 'X-ClickHouse-Exception-Code': code })
          .end(message.replace(/^Query failed: /, ''));
      },
    );
  });
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${typeof address === 'object' ? address?.port : ''}\n`);
});
