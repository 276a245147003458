import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEvents } from '../support/list-events.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';
import {
  listRecordings,
  readRecording,
  replay,
  wireEvents,
  wireTarget,
  WIRE_PERSONAL_KEY,
  WIRE_TOKEN,
  type WireAnswer,
  type WireEvent,
  type WireRequest,
} from '../support/wire.ts';

/** What an SDK needs to see, by path; the first that matches counts. */
const NEEDS: readonly { paths: RegExp; methods: string; check: (answer: WireAnswer) => void }[] = [
  {
    paths: /^\/(capture|batch|e|i\/v0\/e|i\/v0\/ai\/batch|track|engage)\/$/,
    methods: 'POST',
    check: isCaptured,
  },
  { paths: /^\/decide\/$/, methods: 'POST', check: isDecision },
  { paths: /^\/flags\/$/, methods: 'POST', check: isFlags },
  { paths: /^\/flags\/definitions$/, methods: 'GET', check: isDefinitions },
  { paths: /^\/static\/.*\.js$/, methods: 'GET', check: isScript },
  { paths: /^\/array\/[^/]+\/config\.js$/, methods: 'GET', check: isScript },
  { paths: /^\/api\/surveys\/$/, methods: 'GET', check: hasList('surveys') },
  { paths: /^\/api\/early_access_features\/$/, methods: 'GET', check: hasList('earlyAccessFeatures') },
  { paths: /^\/i\/v1\/logs$/, methods: 'POST', check: isTaken },
];

/** Recorded requests that are not part of this surface, or not yet, and what they are answered today. */
const ELSEWHERE: Readonly<Record<string, { statuses: readonly number[]; reason: string }>> = {
  '/page': { statuses: [200, 404], reason: "the recorded app's own page" },
  '/page2': { statuses: [200, 404], reason: "the recorded app's own page" },
  '/favicon.ico': { statuses: [200, 204, 404], reason: "the recorded app's own icon" },
  '/api/projects/@current/feature_flags/bool-on/remote_config': {
    statuses: [404],
    reason: 'the project has no such flag',
  },
};

describe.each(listRecordings())('%s', (recording) => {
  const requests = readRecording(recording);
  let server: RunningServer;
  let answers: Map<WireRequest, WireAnswer>;

  beforeAll(async () => {
    server = await startServer({
      env: { BURROW_PROJECT_API_KEY: WIRE_TOKEN, BURROW_PERSONAL_API_KEY: WIRE_PERSONAL_KEY },
    });
    answers = await replayAll(server.url, requests);
  });
  afterAll(() => server?.stop());

  test.each(requests.map((recorded) => [describeRequest(recorded), recorded] as const))(
    '%s is answered as its SDK requires',
    (_name, recorded) => {
      const answer = answers.get(recorded)!;
      const elsewhere = ELSEWHERE[recorded.path];
      if (elsewhere !== undefined) {
        expect(elsewhere.statuses, elsewhere.reason).toContain(answer.status);
        return;
      }
      const need = NEEDS.find(
        ({ paths, methods }) => paths.test(recorded.path) && methods === recorded.method,
      );
      expect(need, 'every recorded request is either served or listed with a reason').toBeDefined();
      need!.check(answer);
      const { origin } = recorded.headers;
      if (origin !== undefined) expect(answer.headers['access-control-allow-origin']).toBe(origin);
    },
  );

  test('a preflight for each of its paths allows the page that sent it', async () => {
    for (const recorded of requests.filter(isServed)) {
      const origin = recorded.headers['origin'] ?? 'http://localhost:5173';
      const answer = await replay(server.url, preflightOf(recorded, origin));
      const isCapture = NEEDS[0]!.paths.test(recorded.path);
      expect([answer.status, answer.text], recorded.path).toEqual(
        isCapture ? [200, '{"status":"Ok"}'] : [204, ''],
      );
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-headers': 'content-type',
      });
      expect(answer.headers['access-control-allow-methods']).toContain(recorded.method);
    }
  });

  test('each event is stored once, and no others', async () => {
    const sent = requests.flatMap(wireEvents);
    expect(sent.length).toBeGreaterThan(0);
    expect(await storedCounts(server, sent)).toEqual(expectedCounts(sent));
  });

  test('sent again, events with a uuid are still stored once', async () => {
    await replayAll(server.url, requests);
    const sent = requests.flatMap(wireEvents);
    expect(await storedCounts(server, sent)).toEqual(expectedCounts([...sent, ...sent]));
  });
});

/** One after the other, as the SDK sent them. */
async function replayAll(
  url: string,
  requests: readonly WireRequest[],
): Promise<Map<WireRequest, WireAnswer>> {
  const answers = new Map<WireRequest, WireAnswer>();
  for (const recorded of requests) answers.set(recorded, await replay(url, recorded));
  return answers;
}

/** How often each sent event has to be found: once for each uuid, and as often as it was sent where it has none. */
function expectedCounts(sent: readonly WireEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { uuid, event, distinctId } of sent) {
    const key = uuid ?? `${event} of ${distinctId}`;
    counts.set(key, uuid === null ? (counts.get(key) ?? 0) + 1 : 1);
  }
  return counts;
}

/** The same counts from what is stored: by id where a client gave it, else by name and distinct id. */
async function storedCounts(server: RunningServer, sent: readonly WireEvent[]): Promise<Map<string, number>> {
  const uuids = new Set(sent.map(({ uuid }) => uuid));
  const counts = new Map<string, number>();
  for (const stored of await listEvents(server, { limit: '7' })) {
    const key = uuids.has(stored.id) ? stored.id : `${stored.event} of ${stored.distinct_id}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function isServed(recorded: WireRequest): boolean {
  return !(recorded.path in ELSEWHERE);
}

function preflightOf(recorded: WireRequest, origin: string): WireRequest {
  const headers = {
    origin,
    'access-control-request-method': recorded.method,
    'access-control-request-headers': 'content-type',
  };
  return { ...recorded, method: 'OPTIONS', headers, body_raw_b64: '' };
}

function describeRequest(recorded: WireRequest): string {
  return `${recorded.n} ${recorded.phase}: ${recorded.method} ${wireTarget(recorded)}`;
}

/** posthog-php takes nothing but 200, Ruby nothing but an object. */
function isCaptured({ status, text }: WireAnswer): void {
  expect([status, text]).toEqual([200, '{"status":1}']);
}

function isTaken({ status, text }: WireAnswer): void {
  expect([status, text]).toEqual([200, '{}']);
}

function isDecision({ status, text }: WireAnswer): void {
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    config: { enable_collect_everything: true },
    toolbarParams: {},
    isAuthenticated: false,
    supportedCompression: ['gzip', 'gzip-js', 'lz64'],
    featureFlags: {},
    sessionRecording: false,
  });
}

function isFlags({ status, text }: WireAnswer): void {
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    flags: {},
    errorsWhileComputingFlags: false,
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    evaluatedAt: expect.any(Number) as number,
  });
}

function isDefinitions({ status, text, headers }: WireAnswer): void {
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({
    flags: [],
    // Earlier recorded events may have used this group type.
    group_type_mapping: { 0: 'company' },
    cohorts: {},
    property_matching_version: 2,
  });
  expect(headers.etag).toMatch(/^W\//);
}

function isScript({ status, headers }: WireAnswer): void {
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^text\/javascript/);
}

function hasList(name: string): (answer: WireAnswer) => void {
  return ({ status, text }) => {
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ [name]: [] });
  };
}
