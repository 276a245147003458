import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCountedStore } from '../../../test/support/counted-store.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const QUERY = '/api/projects/1/query/';
const COUNT = { kind: 'HogQLQuery', query: 'select count() from events' };
const PERSONS = { kind: 'HogQLQuery', query: `select count() from persons where properties.plan = 'pro'` };
const TREND = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'seen' }],
  dateRange: { date_from: '-1d' },
};

async function numberOf(app: TestApp, query: object, refresh?: string): Promise<number> {
  const answer = await app.ask(QUERY, { method: 'POST', body: { query, refresh } });
  expect(answer.status).toBe(200);
  const [first] = answer.json.results;
  return Array.isArray(first) ? first[0] : first.count;
}

test('a result includes every event acknowledged before the query, and none that was not sent', async () => {
  const app = await openTestApp();
  await sendEvents(app, [{}]);
  let sent = 1;
  let acknowledged = 1;
  const step = fc.oneof(
    fc.record({ kind: fc.constant('send' as const), events: fc.integer({ min: 1, max: 3 }) }),
    fc.record({
      kind: fc.constant('ask' as const),
      query: fc.constantFrom(COUNT, TREND),
      refresh: fc.constantFrom(undefined, 'force_blocking', 'blocking'),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
      async (rounds) => {
        for (const round of rounds) {
          await Promise.all(
            round.map(async (one) => {
              if (one.kind === 'send') {
                sent += one.events;
                await sendEvents(
                  app,
                  Array.from({ length: one.events }, () => ({})),
                );
                acknowledged += one.events;
                return;
              }
              const before = acknowledged;
              const count = await numberOf(app, one.query, one.refresh);
              expect(count).toBeGreaterThanOrEqual(before);
              expect(count).toBeLessThanOrEqual(sent);
            }),
          );
          // Nothing happens now: both ways to ask agree.
          expect(await numberOf(app, COUNT)).toBe(sent);
          expect(await numberOf(app, TREND)).toBe(sent);
        }
      },
    ),
    { numRuns: 12 },
  );
});

test('each change of the meaning of a query is used by the next one', async () => {
  const app = await openTestApp();
  const post = async (path: string, body: object, method = 'POST') => {
    const answer = await app.ask(`/api/projects/1/${path}`, { method, body });
    expect(answer.status, `${path} ${answer.text}`).toBeLessThan(300);
    return answer.text === '' ? null : answer.json;
  };
  await sendEvents(app, [
    { event: 'a', distinct_id: 'u1', $set: { plan: 'pro' }, properties: { n: 5, t: '10' } },
    { event: 'b', distinct_id: 'u2', properties: { n: 7, t: '9' } },
  ]);
  // Persons: by an event, by hand, and by a merge.
  expect(await numberOf(app, PERSONS)).toBe(1);
  await sendEvents(app, [{ distinct_id: 'u2', event: '$set', $set: { plan: 'pro' } }]);
  expect(await numberOf(app, PERSONS)).toBe(2);
  const [person] = (await app.ask('/api/projects/1/persons/?distinct_id=u2')).json.results;
  await post(`persons/${person.id}/update_property/`, { key: 'plan', value: 'free' });
  expect(await numberOf(app, PERSONS)).toBe(1);
  const people = { kind: 'HogQLQuery', query: 'select uniq(person_id) from events' };
  expect(await numberOf(app, people)).toBe(2);
  await sendEvents(app, [
    { event: '$identify', distinct_id: 'u1', properties: { $anon_distinct_id: 'anon' } },
    { event: '$create_alias', distinct_id: 'u1', properties: { alias: 'anon2' } },
    { event: '$merge_dangerously', distinct_id: 'u1', properties: { alias: 'u2' } },
  ]);
  expect(await numberOf(app, people)).toBe(1);
  // An action, a fixed list and a rule.
  const action = await post('actions/', { name: 'A', steps: [{ event: 'a' }] });
  const byAction = { ...TREND, series: [{ kind: 'ActionsNode', id: action.id }] };
  expect(await numberOf(app, byAction)).toBe(1);
  const inAction = { kind: 'HogQLQuery', query: `select count() from events where matchesAction('A')` };
  expect(await numberOf(app, inAction)).toBe(1);
  await post(`actions/${action.id}/`, { steps: [{ event: 'a' }, { event: 'b' }] }, 'PATCH');
  expect(await numberOf(app, byAction)).toBe(2);
  expect(await numberOf(app, inAction)).toBe(2);
  const [lin] = (await app.ask('/api/projects/1/persons/?distinct_id=u1')).json.results;
  const list = await post('cohorts/', { name: 'List', is_static: true, csv: 'distinct_id\nnobody' });
  const inList = {
    kind: 'HogQLQuery',
    query: `select count() from events where event in ('a', 'b') and person_id in cohort ${list.id}`,
  };
  expect(await numberOf(app, inList)).toBe(0);
  await post(`cohorts/${list.id}/add_persons_to_static_cohort/`, { person_ids: [lin.uuid] }, 'PATCH');
  expect(await numberOf(app, inList)).toBe(2);
  const ruleOf = (value: string) => ({
    properties: {
      type: 'OR',
      values: [{ type: 'AND', values: [{ key: 'plan', type: 'person', value, operator: 'exact' }] }],
    },
  });
  const rule = await post('cohorts/', { name: 'Rule', filters: ruleOf('none') });
  const byRule = { ...inList, query: inList.query.replace(/\d+$/, String(rule.id)) };
  expect(await numberOf(app, byRule)).toBe(0);
  await post(`cohorts/${rule.id}/`, { filters: ruleOf('pro') }, 'PATCH');
  expect(await numberOf(app, byRule)).toBe(2);
  // The type of a property, the value of a variable, and the clocks of the project.
  const greatest = { kind: 'HogQLQuery', query: 'select max(properties.t) from events' };
  expect(await numberOf(app, greatest)).toBe('9');
  const [definition] = (await app.ask('/api/projects/1/property_definitions/?search=t&properties=t')).json
    .results;
  await post(`property_definitions/${definition.id}/`, { property_type: 'Numeric' }, 'PATCH');
  expect(await numberOf(app, greatest)).toBe(10);
  const variable = await post('insight_variables/', { name: 'Name', type: 'String', default_value: 'a' });
  const named = {
    kind: 'HogQLQuery',
    query: `select count() from events where event = {variables.${variable.code_name}}`,
  };
  expect(await numberOf(app, named)).toBe(1);
  await post(`insight_variables/${variable.id}/`, { default_value: 'none' }, 'PATCH');
  expect(await numberOf(app, named)).toBe(0);
  const hour = { kind: 'HogQLQuery', query: `select toHour(max(timestamp)) from events` };
  expect(await numberOf(app, hour)).toBe(9);
  await app.ask('/api/projects/1/', { method: 'PATCH', body: { timezone: 'Asia/Tokyo' } });
  expect(await numberOf(app, hour)).toBe(18);
  // Time itself, where the query asks for it.
  const today = { kind: 'HogQLQuery', query: 'select toString(today())' };
  expect(await numberOf(app, today)).toBe('2026-11-20');
  app.clock.now += 86_400_000;
  expect(await numberOf(app, today)).toBe('2026-11-21');
});

test('an insight is recomputed when its days change, and not before', async () => {
  const { store, count } = await openCountedStore();
  const app = await openTestApp({ store });
  await sendEvents(app, [{}]);
  expect(await numberOf(app, TREND)).toBe(1);
  app.clock.now += 3_600_000;
  expect(await count(() => numberOf(app, TREND))).toBe(0);
  app.clock.now += 2 * 86_400_000;
  expect(await numberOf(app, TREND)).toBe(0);
});
