import { expect, test } from 'vitest';
import { EVENTS, iso, send, settle } from '../../../test/support/app-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

/** Six events, of which three are settled. */
async function openWithEvents(): Promise<TestApp> {
  const app = await openTestApp();
  const sent = Array.from({ length: 6 }, (_, n) => ({
    event: n % 2 === 0 ? 'even' : 'odd',
    timestamp: iso(n),
    properties: { n, plan: n < 3 ? 'pro' : '=free' },
  }));
  await send(app, sent.slice(0, 3));
  await settle(app);
  await send(app, sent.slice(3));
  return app;
}

const search = (parameters: Record<string, string | readonly string[]>) =>
  `${EVENTS}?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]) as [string, string][],
  )}`;

test('M7.1 where keeps the events for which all expressions are true, page by page', async () => {
  const app = await openWithEvents();
  const found = async (where: string | string[], more: Record<string, string> = {}) => {
    const numbers: number[] = [];
    let path: string | null = search({ where, ...more });
    while (path !== null) {
      const { json } = await app.ask(path);
      numbers.push(...json.results.map(({ properties }: { properties: string }) => JSON.parse(properties).n));
      path = json.next === null ? null : json.next.slice(app.url.length);
    }
    return numbers;
  };
  expect(await found(`event = 'even'`)).toEqual([4, 2, 0]);
  expect(await found([`event = 'even'`, 'toFloat(properties.n) > 1'], { limit: '1' })).toEqual([4, 2]);
  expect(await found([`event = 'even'`], { orderBy: '["timestamp"]', event: 'odd' })).toEqual([]);
  expect(await found(`person.properties.email is null`, { after: iso(1), before: iso(4) })).toEqual([3, 2]);
  const repeated = `${EVENTS}?where=${encodeURIComponent(`event = 'odd'`)}&where=${encodeURIComponent('toFloat(properties.n) < 3')}`;
  expect((await app.ask(repeated)).json.results).toHaveLength(1);
  const properties = JSON.stringify([{ key: 'plan', value: 'pro', type: 'event', operator: 'exact' }]);
  expect(await found(`event = 'even'`, { properties })).toEqual([2, 0]);
});

test('M7.1 select returns each event by its expressions', async () => {
  const app = await openWithEvents();
  const first = (await app.ask(search({ select: ['event', 'properties.n', 'distinct_id'], limit: '4' })))
    .json;
  expect(first.results[0]).toEqual({ event: 'odd', 'properties.n': 5, distinct_id: 'u1' });
  const second = (await app.ask(first.next.slice(app.url.length))).json;
  expect(second.results.map((row: Record<string, number>) => row['properties.n'])).toEqual([1, 0]);
  expect(second.next).toBeNull();
  const where = [`event = 'odd'`];
  const csv = await app.ask(`${search({ select: ['properties.plan', 'event'], where })}&format=csv`);
  expect(csv.text).toBe(`properties.plan,event\n'=free,odd\n'=free,odd\npro,odd\n`);
  const whole = (await app.ask(search({ select: ['*'], limit: '1' }))).json.results[0]['*'];
  expect(whole).toMatchObject({ event: 'odd', properties: { n: 5 }, team_id: 1 });
});

test('M7.1 an invalid expression is refused with the error', async () => {
  const app = await openWithEvents();
  const refused: [Record<string, string | string[]>, RegExp][] = [
    [{ where: 'evnt = 1' }, /evnt/],
    [{ where: 'event =' }, /^In 'event =': Line 1, column \d+/],
    [{ where: '[1]' }, /JSON list of expressions/],
    [{ where: '["event"' }, /JSON list of expressions/],
    [{ select: ['count()'] }, /is an aggregation/],
    [{ select: ['nothing()'] }, /nothing/],
    [{ select: ['constructor'] }, /Unknown column "constructor"/],
    [{ select: Array.from({ length: 101 }, () => 'event') }, /100 expressions are allowed/],
  ];
  for (const [parameters, detail] of refused) {
    const { status, json } = await app.ask(search(parameters));
    expect([status, json.code, json.detail], JSON.stringify(parameters)).toEqual([
      400,
      'invalid_input',
      expect.stringMatching(detail),
    ]);
  }
});
