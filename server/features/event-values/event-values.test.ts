import { describe, expect, test } from 'vitest';
import { EVENTS, send, settle } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const VALUES = `${EVENTS}values/`;
const TODAY = '2026-11-20T01:00:00Z';

/** Plans of events of the last days, in both places where events lie. */
async function openWithPlans(): Promise<TestApp> {
  const app = await openTestApp();
  const at = (timestamp: string, plan: unknown, event = 'seen'): object => ({
    event,
    timestamp,
    properties: { plan, $browser: event === 'signup' ? 'Firefox' : 'Chrome' },
  });
  await send(app, [
    at('2026-11-13T00:00:00Z', 'free'),
    at('2026-11-12T23:59:59Z', 'too old'),
    at('2026-11-14T00:00:00Z', 'Freedom'),
    at('2026-11-14T00:00:00Z', 'pro', 'signup'),
    at('2026-11-14T00:00:00Z', null),
  ]);
  await settle(app);
  await send(app, [
    at(TODAY, 'pro'),
    at(TODAY, 565),
    at(TODAY, true),
    at(TODAY, ['pro', 'list only', null]),
    at(TODAY, '[not a list'),
  ]);
  return app;
}

async function names(app: TestApp, search: string): Promise<string[]> {
  const answer = await app.ask(`${VALUES}?${search}`);
  expect(answer.status).toBe(200);
  return (answer.json as { name: string }[]).map(({ name }) => name);
}

describe('M7.4 values', () => {
  test.each(['', '?format=csv', '?value=free', '?key='])(
    'M7.4 without a key there is an empty body: %j',
    async (search) => {
      const { ask } = await openTestApp();
      expect(await ask(VALUES + search)).toMatchObject({ status: 200, text: '' });
    },
  );

  test('M7.4 key: values of a property in the last seven days, the most frequent first, lists flattened', async () => {
    const app = await openWithPlans();
    expect(await names(app, 'key=plan')).toEqual([
      'pro',
      '565',
      'Freedom',
      '[not a list',
      'free',
      'list only',
      'true',
    ]);
    expect(await names(app, 'key=$browser')).toEqual(['Chrome', 'Firefox']);
    expect(await names(app, 'key=unknown')).toEqual([]);
    const answer = await app.ask(`${VALUES}?key=plan`);
    expect(answer.json[0]).toEqual({ name: 'pro' });
    expect(answer.headers['cache-control']).toBe('max-age=10');
  });

  test('M7.4 key: ten values at most', async () => {
    const app = await openTestApp();
    await send(
      app,
      Array.from({ length: 12 }, (_, n) => ({ timestamp: TODAY, properties: { n } })),
    );
    expect(await names(app, 'key=n')).toHaveLength(10);
  });

  test('M7.4 value: those that contain it, in any case, shortest first', async () => {
    const app = await openWithPlans();
    expect(await names(app, 'key=plan&value=FREE')).toEqual(['free', 'Freedom']);
    expect(await names(app, 'key=plan&value=%25')).toEqual([]);
  });

  test('M7.4 event_name: only of these events', async () => {
    const app = await openWithPlans();
    expect(await names(app, 'key=plan&event_name=signup')).toEqual(['pro']);
    expect(await names(app, 'key=$browser&event_name=signup&event_name=seen')).toEqual(['Chrome', 'Firefox']);
    expect(await names(app, 'key=plan&event_name=nothing')).toEqual([]);
  });

  test('M7.4 is_column: values of a column of events', async () => {
    const app = await openWithPlans();
    expect(await names(app, 'key=event&is_column=true')).toEqual(['seen', 'signup']);
    expect(await names(app, 'key=distinct_id&is_column=1')).toEqual(['u1']);
    expect(await names(app, 'key=event&is_column=false')).toEqual([]);
    expect(await app.ask(`${VALUES}?key=properties&is_column=true`)).toMatchObject({
      status: 400,
      json: { code: 'invalid_choice', attr: 'key' },
    });
  });

  test('M7.4 properties_<name>: only of events with that value', async () => {
    const app = await openWithPlans();
    expect(await names(app, `key=plan&properties_$browser=${encodeURIComponent('"Firefox"')}`)).toEqual([
      'pro',
    ]);
    expect(await names(app, `key=$browser&properties_plan=${encodeURIComponent('["free",565]')}`)).toEqual([
      'Chrome',
    ]);
    for (const value of ['Firefox', '{}']) {
      expect(
        await app.ask(`${VALUES}?key=plan&properties_$browser=${encodeURIComponent(value)}`),
      ).toMatchObject({ status: 400, json: { code: 'invalid_input', attr: 'properties_$browser' } });
    }
  });

  test('M7.4 key=custom_event: names of events that no SDK sends, in order, of any age', async () => {
    const app = await openWithPlans();
    await send(app, [{ event: '$pageview' }, { event: 'cart', timestamp: '2020-01-01T00:00:00Z' }]);
    expect(await names(app, 'key=custom_event')).toEqual(['cart', 'seen', 'signup']);
  });

  test('M7.4 format: CSV has one value per line below name, and no formulas', async () => {
    const app = await openTestApp();
    await send(app, [{ timestamp: TODAY, properties: { plan: '=1+1' } }]);
    const answer = await app.ask(`${VALUES}?key=plan&format=csv`);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.text).toBe(`name\n'=1+1\n`);
    expect((await app.ask(`${VALUES}?key=custom_event&format=csv`)).text).toBe('name\nseen\n');
  });

  test('M7.4 shows the values of its project only, to keys that may read', async () => {
    const app = await openWithPlans();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    expect((await app.ask('/api/environments/2/events/values/?key=plan')).json).toEqual([]);
    expect((await app.ask(`${VALUES}?key=plan`, { key: null })).status).toBe(401);
  });
});
