import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS } from '../../server/errors.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { send, type Answer } from './send.ts';

const PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/track', '/engage'].flatMap((path) => [
  path,
  `${path}/`,
]);
const REFUSALS = new Set(Object.values(ERRORS).map(({ status, code }) => `${status} ${code}`));

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/** Bodies from plain noise to nearly right ones: the closer to right, the deeper they get. */
function anyBody(): fc.Arbitrary<Uint8Array> {
  const event = fc.record(
    {
      event: fc.oneof(fc.string(), fc.jsonValue()),
      distinct_id: fc.oneof(fc.string(), fc.jsonValue()),
      uuid: fc.oneof(fc.uuid(), fc.jsonValue()),
      timestamp: fc.oneof(fc.string(), fc.jsonValue(), fc.integer()),
      offset: fc.oneof(fc.double(), fc.jsonValue()),
      properties: fc.oneof(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.jsonValue()),
      $set: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const envelope = fc.record(
    {
      api_key: fc.oneof(fc.constantFrom('KEY', '', 'phx_personal'), fc.jsonValue()),
      batch: fc.oneof(fc.array(event, { maxLength: 5 }), fc.jsonValue()),
      sent_at: fc.oneof(fc.string(), fc.jsonValue()),
      historical_migration: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const json = fc
    .oneof(envelope, event, fc.array(event, { maxLength: 5 }), fc.jsonValue())
    .map((value) =>
      Buffer.from(JSON.stringify(value).replaceAll('"KEY"', JSON.stringify(server.projectApiKey))),
    );
  const bytes = fc.uint8Array({ maxLength: 300 });
  const form = fc
    .oneof(json, bytes)
    .chain((data) =>
      fc
        .constantFrom('data', '_', 'ip', 'compression', 'api_key')
        .map((name) => Buffer.from(`${name}=${encodeURIComponent(Buffer.from(data).toString('base64'))}`)),
    );
  const compressed = fc.oneof(json, bytes).map((data) => gzipSync(data));
  const cut = compressed.chain((data) => fc.nat(data.length).map((length) => data.subarray(0, length)));
  const base64 = fc.oneof(json, compressed).map((data) => Buffer.from(data.toString('base64')));
  return fc.oneof(json, json, bytes, form, compressed, cut, base64);
}

const anySearch = fc.oneof(
  fc.constant(''),
  fc
    .constantFrom('gzip', 'gzip-js', 'lz64', 'base64', 'br', 'nonsense')
    .map((name) => `?compression=${name}`),
  fc.constantFrom(
    '?beacon=1',
    '?_=1795150000000',
    '?data=',
    '?data=e30=',
    '?token=x&data=eyJ9',
    '?ip=1&_=x&ver=1.2',
  ),
  fc.webQueryParameters().map((query) => `?${query}`),
);

const anyHeaders = fc.record(
  {
    'Content-Type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/x-www-form-urlencoded; charset=utf-8',
      'multipart/form-data; boundary=x',
      'nonsense',
      '',
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

describe('the capture paths', () => {
  test(
    'answer any bytes, headers and query from the table, never with a 500, and stay alive',
    { timeout: 60_000 },
    async () => {
      const anyRequest = fc.record({
        method: fc.constantFrom('POST', 'POST', 'POST', 'POST', 'GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'),
        path: fc.constantFrom(...PATHS),
        search: anySearch,
        headers: anyHeaders,
        body: anyBody(),
      });
      const property = fc.asyncProperty(anyRequest, async ({ method, path, search, headers, body }) => {
        const withHeaders = Object.fromEntries(
          Object.entries(headers).filter(([, value]) => value !== undefined),
        );
        const answer = await send(`${server.url}${path}${search}`, { method, headers: withHeaders, body });
        expectFromTable(answer, method);
      });
      await fc.assert(property, { numRuns: 1500 });
      expect((await send(`${server.url}/_liveness`, { method: 'GET' })).status).toBe(200);
    },
  );

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
