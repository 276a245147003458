import { expect, test } from 'vitest';
import { EVENTS, send, settle } from '../support/app-events.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const EVENTS_STORED = 1_000_000;
const INSTANTS = 1_000;
const LATE_PER_PAGE = 20;
const START = Date.UTC(2026, 10, 1);

interface ListedEvent {
  id: string;
  event: string;
  timestamp: string;
}

/** A million events named by their numbers, a thousand at each second; most of them have lain there for a while. */
async function openWithMillion(): Promise<TestApp> {
  const app = await openTestApp();
  const columns = `make_timestamp($start + (i % ${INSTANTS}) * 1000000) AS timestamp, uuid() AS uuid, i::VARCHAR AS event,
    'u' AS distinct_id, 1 AS person_id, '{}' AS properties, NULL AS elements_chain, now()::TIMESTAMP AS received_at,
    false AS historical`;
  const start = START * 1000;
  const settled = EVENTS_STORED * 0.8;
  await app.store.db.run(
    `INSERT INTO events BY NAME SELECT 1 AS project_id, ${columns} FROM range(${settled}) r(i) ORDER BY timestamp`,
    { start },
  );
  await app.store.db.run(
    `INSERT INTO events_recent BY NAME SELECT i - ${EVENTS_STORED * 2} AS seq, 1 AS project_id, ${columns}, false AS suspect
     FROM range(${settled}, ${EVENTS_STORED}) r(i)`,
    { start },
  );
  return app;
}

/** Events stored while the list is walked: as many before its place as behind it, and some at the very instant. */
async function sendLate(
  app: TestApp,
  page: number,
  place: string,
): Promise<Map<string, 'seen' | 'not seen' | 'either'>> {
  const at = Date.parse(place);
  const late = Array.from({ length: LATE_PER_PAGE }, (_, n) => {
    const shift = (n % 3) - 1;
    const time = at + shift * 500;
    return { event: `late-${page}-${n}`, timestamp: new Date(time).toISOString(), shift };
  });
  await send(
    app,
    late.map(({ event, timestamp }) => ({ event, timestamp })),
  );
  return new Map(
    late.map(({ event, shift }) => [event, shift < 0 ? 'seen' : shift > 0 ? 'not seen' : 'either']),
  );
}

test('next pages through a million events with a thousand timestamps, each once, while new ones arrive', async () => {
  const app = await openWithMillion();
  const times = new Uint8Array(EVENTS_STORED);
  const late = new Map<string, 'seen' | 'not seen' | 'either'>();
  const lateSeen: string[] = [];
  let order = '~';
  let disorder = 0;
  let path: string | null = `${EVENTS}?limit=50000`;
  for (let page = 0; path !== null; page += 1) {
    const answer = await app.ask(path);
    const { results, next } = answer.json as { results: ListedEvent[]; next: string | null };
    for (const { id, event, timestamp } of results) {
      const place = `${timestamp} ${id}`;
      if (place >= order) disorder += 1;
      order = place;
      if (event.startsWith('late')) lateSeen.push(event);
      else times[Number(event)]! += 1;
    }
    path = next === null ? null : next.slice(app.url.length);
    if (path === null) break;
    for (const [event, expected] of await sendLate(app, page, results.at(-1)!.timestamp))
      late.set(event, expected);
    // What has arrived by then is moved to where the old ones lie, as compaction does.
    if (page === 5) await settle(app);
  }
  expect(disorder).toBe(0);
  const wrong = [...times.entries()].filter(([, count]) => count !== 1);
  expect(wrong.slice(0, 10), `${wrong.length} events seen never or twice, with their counts`).toEqual([]);
  expect(new Set(lateSeen).size).toBe(lateSeen.length);
  const expected = [...late].filter(([, fate]) => fate === 'seen').map(([event]) => event);
  expect(expected.length).toBeGreaterThan(100);
  expect(lateSeen).toEqual(expect.arrayContaining(expected));
  expect(lateSeen.filter((event) => late.get(event) === 'not seen')).toEqual([]);
});
