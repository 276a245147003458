import { describe, expect, test } from 'vitest';
import { TEST_TOKEN } from '../support/test-app.ts';
import { expectOnlyFields, STORED_EVENT } from './seed-fields.ts';
import { FAMILIES, openScript, type Script } from '../support/seed-script.ts';

/** Sends events as the specification shows, a second apart, the last one a minute ago. */
async function send({ app }: Script, names: readonly string[]): Promise<void> {
  const from = app.clock.now - 60_000 - names.length * 1000;
  const batch = names.map((event, n) => ({
    event,
    properties: { distinct_id: n % 2 === 0 ? '7' : '8', plan: event },
    timestamp: new Date(from + n * 1000).toISOString(),
  }));
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, historical_migration: false, batch },
  });
  expect(answer.status).toBe(200);
}

const namesOf = (page: any): string[] => page.results.map(({ event }: { event: string }) => event);

describe.each(FAMILIES)('the specification of stored events below /api/%s', (family) => {
  test('14 the list has next and results, whose events have every field of the table', async () => {
    const script = await openScript(family);
    await send(script, ['a', 'b', 'c']);
    const { status, json } = await script.ask('query:read', 'GET', `${script.P}/events`);
    expect(status).toBe(200);
    expect(Object.keys(json).sort()).toEqual(['next', 'results']);
    for (const event of json.results) expectOnlyFields(event, STORED_EVENT);
    expect(namesOf(json)).toEqual(['c', 'b', 'a']);
    expect(JSON.parse(json.results[0].properties)).toMatchObject({
      plan: 'c',
    });
  });

  test('14 next pages through all events', async () => {
    const script = await openScript(family);
    await send(script, ['a', 'b', 'c', 'd', 'e']);
    const walked: string[] = [];
    let path: string | null = `${script.P}/events/?limit=2`;
    while (path !== null) {
      const { json } = await script.ask('query:read', 'GET', path);
      walked.push(...namesOf(json));
      if (json.next !== null) expect(URL.canParse(json.next)).toBe(true);
      path = json.next === null ? null : new URL(json.next).pathname + new URL(json.next).search;
    }
    expect(walked).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test.each([
    ['event=b', ['b']],
    ['distinct_id=8', ['d', 'b']],
    ['limit=1', ['d']],
    ['limit=2&offset=1', ['c', 'b']],
    [`properties=${encodeURIComponent('[{"key":"plan","value":"a","type":"event"}]')}`, ['a']],
    ['format=json', ['d', 'c', 'b', 'a']],
    ['after=2026-11-20T09:28:58Z', ['d']],
    ['before=2026-11-20T09:28:57Z', ['a']],
    ['person_id=999', []],
  ])('14 %s', async (query, found) => {
    const script = await openScript(family);
    await send(script, ['a', 'b', 'c', 'd']);
    const { status, json } = await script.ask('query:read', 'GET', `${script.P}/events/?${query}`);
    expect(status).toBe(200);
    expect(namesOf(json)).toEqual(found);
  });

  test('14, 15 format=csv is a table', async () => {
    const script = await openScript(family);
    await send(script, ['a', 'b']);
    const list = await script.ask('query:read', 'GET', `${script.P}/events/?format=csv`);
    expect(list.status).toBe(200);
    expect(list.headers['content-type']).toMatch(/^text\/csv/);
    expect(list.text.trim().split(/\r?\n/)).toHaveLength(3);
    const { results } = (await script.ask('query:read', 'GET', `${script.P}/events/`)).json;
    const one = await script.ask('query:read', 'GET', `${script.P}/events/${results[0].id}/?format=csv`);
    expect(one.text.trim().split(/\r?\n/)).toHaveLength(2);
  });

  test('15 a single event has the same fields as in the list', async () => {
    const script = await openScript(family);
    await send(script, ['a', 'b']);
    const { results } = (await script.ask('query:read', 'GET', `${script.P}/events/`)).json;
    for (const suffix of ['/', '', '/?format=json']) {
      const path = `${script.P}/events/${results[1].id}${suffix}`;
      const { status, json } = await script.ask('query:read', 'GET', path);
      expect(status).toBe(200);
      expectOnlyFields(json, STORED_EVENT);
      expect(json).toEqual(results[1]);
    }
  });

  test.each(['', '?format=json', '?format=csv'])('16 values%s is answered without a body', async (query) => {
    const { ask, P } = await openScript(family);
    const answer = await ask('query:read', 'GET', `${P}/events/values/${query}`);
    expect([answer.status, answer.text]).toEqual([200, '']);
  });
});
