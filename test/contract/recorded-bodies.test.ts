import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openEnvelope } from '../../server/features/capture/envelope.ts';
import { normalizeEvent } from '../../server/features/capture/normalize.ts';
import { decodeBody, type DecodedBody } from '../../server/http/decode.ts';

const FOLDER = new URL('../fixtures/wire/', import.meta.url);
const TOKEN = 'phc_wiretest00000000000000000000000000000000000';
/** Unix ms, shortly after the last recording. */
const NOW = 1_795_151_100_000;
const CAPTURE_PATHS = new Set([
  '/e/',
  '/i/v0/e/',
  '/batch/',
  '/capture/',
  '/track/',
  '/engage/',
  '/i/v0/ai/batch/',
]);
const FLAG_PATHS = new Set(['/decide/', '/flags/']);

interface Recorded {
  n: number;
  phase: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  body_raw_b64: string;
}

const RECORDINGS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => ({ name, posts: readPosts(name) }));

function readPosts(name: string): Recorded[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Recorded).filter((request) => request.method === 'POST');
}

function searchOf(request: Recorded): string {
  return new URLSearchParams(request.query).toString();
}

function decode(request: Recorded): DecodedBody {
  return decodeBody({
    bytes: new Uint8Array(Buffer.from(request.body_raw_b64, 'base64')),
    search: searchOf(request),
    contentType: request.headers['content-type'] ?? '',
    contentEncoding: request.headers['content-encoding'] ?? '',
    maxDecodedBytes: 20_971_520,
  });
}

function normalizeAll(request: Recorded) {
  const search = searchOf(request);
  const kind = request.path === '/engage/' ? 'engage' : 'capture';
  const envelope = openEnvelope(decode(request), { kind, search });
  const context = {
    projectId: 1,
    now: NOW,
    clientIp: '127.0.0.1',
    anonymizesIps: false,
    source: '/batch',
    lookup: () => null,
    newId: () => 'made-here',
  };
  return envelope.items.map((item) => ({ envelope, ...normalizeEvent(item, envelope, context) }));
}

test('there are recordings of several SDKs', () => {
  expect(RECORDINGS.map(({ name, posts }) => [name, posts.length > 5])).toEqual([
    ['js-1.24.0-decide-gzip-lz64.jsonl', true],
    ['js-1.449.2-default.jsonl', true],
    ['js-lite-4.12.1.jsonl', true],
    ['node-5.70.0-v0.jsonl', true],
  ]);
});

describe.each(RECORDINGS)('$name', ({ name, posts }) => {
  test.each(posts)('request $n ($phase, $path) is decoded', (request) => {
    expect(decode(request).json).toBeTypeOf('object');
  });

  test.each(posts.filter(({ path }) => CAPTURE_PATHS.has(path)))(
    'every event of request $n ($phase) has a key, an id and a name',
    (request) => {
      const events = normalizeAll(request);
      expect(events.length).toBeGreaterThan(0);
      for (const { envelope, event, dropped } of events) {
        expect(dropped).toBeUndefined();
        expect(envelope.token).toBe(TOKEN);
        expect(event!.distinctId).not.toBe('');
        expect(event!.event).not.toBe('');
        // posthog-js 1.24 gives its events no uuid.
        expect(event!.hasClientUuid).toBe(!name.startsWith('js-1.24'));
        expect(event!.timestamp).toBeGreaterThan(Date.UTC(2023, 0, 1) * 1000);
        expect(event!.timestamp).toBeLessThanOrEqual(NOW * 1000);
      }
    },
  );

  test('every flags request has a key and an id', () => {
    for (const request of posts.filter(({ path }) => FLAG_PATHS.has(path))) {
      expect(decode(request).json).toMatchObject({ token: TOKEN, distinct_id: expect.stringMatching(/./) });
    }
  });
});

test('posthog-js clicks arrive with their elements chain', () => {
  const recording = RECORDINGS.find(({ name }) => name.startsWith('js-1.449'))!;
  const clicks = recording.posts
    .filter(({ path, phase }) => CAPTURE_PATHS.has(path) && phase === 'autocapture_click')
    .flatMap(normalizeAll)
    .filter(({ event }) => event?.event === '$autocapture');
  expect(clicks.map(({ event }) => event!.elementsChain)).toEqual([
    expect.stringContaining('text="Click me"'),
  ]);
});

test('posthog-js-lite clicks arrive as an array and are stored as a chain', () => {
  const recording = RECORDINGS.find(({ name }) => name.startsWith('js-lite'))!;
  const clicks = recording.posts
    .filter(({ phase, path }) => phase === 'autocapture' && CAPTURE_PATHS.has(path))
    .flatMap(normalizeAll);
  expect(clicks.map(({ event }) => event!.elementsChain)).toEqual([
    'button:nth-child="0"nth-of-type="0"text="x"',
  ]);
});
