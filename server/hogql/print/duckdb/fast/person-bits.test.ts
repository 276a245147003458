// @module-tag deep
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askHogql } from '../../../../../test/support/ask-hogql.ts';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { openTestApp } from '../../../../../test/support/test-app.ts';

/** More than the tests have; a set of so many bits takes 8 KiB. */
const LIMIT = 65_536;

const COUNTS = [
  'select uniq(person_id), count(distinct person_id), uniqExact(person.id) from events',
  `select uniqIf(person_id, event = 'a'), uniqIf(person_id, event = 'nothing'), uniqOrNull(person_id) from events`,
  'select event, uniq(person_id) from events group by event order by event',
  'select uniq(person_id), uniq(distinct_id) from (select person_id, distinct_id from events limit 3)',
  'select event, uniq(person_id) over (partition by event) from events order by event, uuid limit 5',
  'select uniq(id) from persons',
];
const MEMBERS = [
  `select count() from events where person_id in (select person_id from events where event = 'a')`,
  `select count() from events where person_id not in (select person_id from events where event = 'b')`,
  `select event, person_id in (select id from persons) as known, count() from events group by event, known order by event, known`,
  'select count() from persons where id in (select person_id from events where false)',
  // Reads a column of the query around it.
  `select count() from events e where person_id in (select person_id from events where event = e.event and event = 'a')`,
];

test('persons are counted and found the same with bitmaps and rows, for any merges and anonymous events', async () => {
  const app = await openTestApp();
  const id = fc.constantFrom(...Array.from({ length: 9 }, (_, at) => `u${at}`));
  const sent = fc.oneof(
    fc.record({ event: fc.constantFrom('a', 'b', 'c'), distinct_id: id }),
    fc.record({
      event: fc.constantFrom('a', 'b'),
      distinct_id: id,
      properties: fc.constant({ $process_person_profile: false }),
    }),
    fc.record({
      event: fc.constant('$identify'),
      distinct_id: id,
      properties: fc.record({ $anon_distinct_id: id }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 12 }), async (events) => {
      await sendEvents(app, events);
      for (const query of [...COUNTS, ...MEMBERS]) {
        const [bits, rows] = [await askHogql(app, query, { personLimit: LIMIT }), await askHogql(app, query)];
        expect(bits.results, query).toEqual(rows.results);
      }
    }),
    { numRuns: 8 },
  );
});

test('bitmaps are used for few persons, and when the condition is the same for each row', async () => {
  const app = await openTestApp();
  const isOfBits = async (query: string, personLimit: number): Promise<boolean> =>
    (await askHogql(app, query, { personLimit })).compiled.sql.includes('bitstring_agg');
  expect(await isOfBits(COUNTS[0]!, LIMIT)).toBe(true);
  expect(await isOfBits(COUNTS[0]!, 2 ** 30)).toBe(false);
  // There may be as many events as there are rows.
  expect(await isOfBits(COUNTS[2]!, LIMIT)).toBe(false);
  // For each row around it there is a group.
  const ofEach = 'select (select uniq(person_id) from events where event = e.event) from events e';
  expect(await isOfBits(ofEach, LIMIT)).toBe(false);
  expect(await isOfBits(MEMBERS[0]!, LIMIT)).toBe(true);
  expect(await isOfBits(MEMBERS[4]!, LIMIT)).toBe(false);
});

test('the app has the limit of person ids', async () => {
  const app = await openTestApp();
  await sendEvents(app, [{ event: 'a', distinct_id: 'u1' }]);
  const ask = (query: object): Promise<{ json: any }> =>
    app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  const trend = {
    kind: 'TrendsQuery',
    series: [{ kind: 'EventsNode', event: 'a', math: 'dau' }],
    dateRange: { date_from: '-1d' },
  };
  expect((await ask(trend)).json.results[0].count).toBe(1);
  const state = await app.store
    .service('capture')
    .call<{ personLimit: number }>({ kind: 'store.state', projectId: 1 });
  expect(state.personLimit).toBe(LIMIT);
});
