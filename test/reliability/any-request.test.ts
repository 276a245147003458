import { connect } from 'node:net';
import { deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../server/errors.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { send, type Answer } from './send.ts';

const PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/track', '/engage'].flatMap((path) => [
  path,
  `${path}/`,
]);
const RUNS = 1500;
const REFUSALS = new Set(Object.values(ERRORS).map(({ status, code }) => `${status} ${code}`));

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Mostly `likely`, so that a request gets past the first check and the later ones see something odd too. */
function mostly<T, U>(likely: fc.Arbitrary<T>, odd: fc.Arbitrary<U>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: 12, arbitrary: likely }, { weight: 1, arbitrary: odd });
}

const anything = fc.jsonValue();
const anyText = fc.string({ unit: 'binary' });

const anyEvent = fc.record(
  {
    event: mostly(anyText, anything),
    distinct_id: mostly(anyText, anything),
    uuid: mostly(fc.uuid(), anything),
    timestamp: mostly(fc.oneof(fc.date({ noInvalidDate: true }), fc.string(), fc.integer()), anything),
    offset: mostly(fc.integer(), anything),
    properties: mostly(fc.dictionary(anyText, anything), anything),
    $set: anything,
  },
  { requiredKeys: ['event', 'distinct_id'] },
);

const anyEnvelope = fc.record(
  {
    api_key: mostly(
      fc.constant('KEY'),
      fc.oneof(fc.constantFrom('', 'phx_personal', 'k'.repeat(65)), anything),
    ),
    batch: mostly(fc.array(anyEvent, { minLength: 1, maxLength: 5 }), anything),
    sent_at: mostly(fc.date({ noInvalidDate: true }), anything),
    historical_migration: mostly(fc.boolean(), anything),
  },
  { requiredKeys: ['api_key', 'batch'] },
);

/** JSON with the project's key where it says `KEY`. */
const anyJson = fc
  .oneof(
    { weight: 4, arbitrary: anyEnvelope },
    { weight: 2, arbitrary: anyEvent.map((event) => ({ api_key: 'KEY', ...event })) },
    { weight: 1, arbitrary: fc.array(anyEvent, { maxLength: 5 }) },
    { weight: 1, arbitrary: anything },
  )
  .map((value) =>
    Buffer.from(JSON.stringify(value).replaceAll('"KEY"', JSON.stringify(server.projectApiKey))),
  );

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));

interface Sent {
  body: Buffer;
  search: string;
  headers: Record<string, string>;
}

/** The ways in which SDKs pack a body, each with the hints that go with it. */
const PACKINGS: ((json: Buffer) => Sent)[] = [
  (body) => ({ body, search: '', headers: { 'Content-Type': 'application/json' } }),
  (body) => ({ body: gzipSync(body), search: '', headers: { 'Content-Type': 'text/plain' } }),
  (body) => ({ body: gzipSync(body), search: '', headers: { 'Content-Encoding': 'gzip' } }),
  (body) => ({ body: deflateSync(body), search: '', headers: { 'Content-Encoding': 'deflate' } }),
  (body) => ({ body: gzipSync(body), search: '?compression=gzip-js&_=1795150000000', headers: {} }),
  (body) => ({
    body: formOf(body.toString('base64')),
    search: '?compression=base64&beacon=1',
    headers: FORM,
  }),
  (body) => ({ body: formOf(body.toString()), search: '', headers: FORM }),
  (body) => ({
    body: Buffer.alloc(0),
    search: `?data=${encodeURIComponent(body.toString('base64'))}`,
    headers: {},
  }),
];
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

function formOf(data: string): Buffer {
  return Buffer.from(`data=${encodeURIComponent(data)}`);
}

const anyPacked = fc
  .tuple(mostly(anyJson, anyBytes), fc.constantFrom(...PACKINGS))
  .map(([body, pack]) => pack(body));

const anyCut = fc
  .tuple(anyPacked, fc.nat({ max: 99 }))
  .map(([sent, percent]) => ({ ...sent, body: sent.body.subarray(0, (sent.body.length * percent) / 100) }));

const anySearch = fc.oneof(
  fc.constantFrom(
    '',
    '?compression=gzip',
    '?compression=lz64',
    '?compression=br',
    '?compression=nonsense',
    '?data=',
  ),
  fc.constantFrom('?beacon=1', '?data=e30=', '?token=x&data=eyJ9', '?ip=1&_=x&ver=1.2'),
  fc.webQueryParameters().map((query) => `?${query}`),
);

const oddHeaders = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
      'text/plain; charset=utf-16',
    ),
    'Content-Encoding': fc.constantFrom(
      'gzip',
      'br',
      'deflate',
      'zstd',
      'identity',
      'gzip, gzip',
      'nonsense',
      '',
    ),
    Origin: fc.constantFrom('http://localhost:5173', 'null', 'nonsense'),
    'X-Forwarded-For': fc.constantFrom('203.0.113.7, 10.0.0.1', 'nonsense', ''),
    Host: fc.constantFrom('burrow:8000', 'example.com'),
  },
  { requiredKeys: [] },
);

/** Requests as SDKs send them, cut ones, and ones whose hints do not fit. */
const anySent: fc.Arbitrary<Sent> = fc.oneof(
  { weight: 4, arbitrary: anyPacked },
  { weight: 1, arbitrary: anyCut },
  {
    weight: 2,
    arbitrary: fc
      .tuple(anyPacked, anySearch, oddHeaders)
      .map(([sent, search, headers]) => ({ ...sent, search, headers: { ...sent.headers, ...headers } })),
  },
);

describe('the capture paths', () => {
  test('answer any bytes, headers and query as documented, never with a 500, and stay alive', async () => {
    const methods = mostly(fc.constant('POST'), fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'));
    let stored = 0;
    const property = fc.asyncProperty(
      methods,
      fc.constantFrom(...PATHS),
      anySent,
      async (method, path, sent) => {
        const { search, headers, body } = sent;
        const answer = await send(`${server.url}${path}${search}`, { method, headers, body });
        expectFromTable(answer, method);
        if (method === 'POST' && answer.status < 300) stored += 1;
      },
    );
    await fc.assert(property, { numRuns: RUNS });
    expect(stored, 'many of them get as far as the store').toBeGreaterThan(RUNS / 10);
    expect((await send(`${server.url}/_liveness`, { method: 'GET' })).status).toBe(200);
  });

  test.each([
    [
      'half a body and then hangs up',
      'POST /batch/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"api_key":',
    ],
    ['half a head', 'POST /batch/ HTTP/1.1\r\nHos'],
    ['no HTTP at all', '\u0000\u0001\u0002\r\n\r\n'],
    ['a negative length', 'POST /e/ HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
    ['a broken chunk', 'POST /e/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
  ])('survive a client that sends %s', async (_, bytes) => {
    await new Promise<void>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes, 'latin1'));
      socket.on('error', () => resolve());
      socket.resume().on('close', () => resolve());
    });
    expect((await send(`${server.url}/_liveness`, { method: 'GET' })).status).toBe(200);
  });
});

function expectFromTable({ status, headers, text }: Answer, method: string): void {
  if (status === 204 || method === 'HEAD') {
    expect(text).toBe('');
    expect([200, 204, 400, 401, 405, 413]).toContain(status);
    return;
  }
  const body = JSON.parse(text) as { status?: unknown; code?: string };
  if (status === 200) {
    // Contract 1.3: OPTIONS is answered `Ok`, everything stored or silently left out `1`.
    expect(body.status).toBe(method === 'OPTIONS' ? 'Ok' : 1);
    return;
  }
  expect(REFUSALS).toContain(`${status} ${body.code}`);
  expect(status).not.toBe(500);
  expect(Object.keys(body).toSorted()).toEqual(['attr', 'code', 'detail', 'type']);
  expect(headers['content-type']).toMatch(/^application\/json/);
}
