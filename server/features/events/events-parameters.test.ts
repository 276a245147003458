import { describe, expect, test } from 'vitest';
import { EVENTS, iso, list, send } from '../../../test/support/app-events.ts';
import { encoded, names, openWithFour } from '../../../test/support/four-events.ts';

describe('the parameters of the list', () => {
  test('M7.1/after only later events, also relative to now', async () => {
    const app = await openWithFour();
    expect(await names(app, `after=${iso(2)}`)).toBe('dc');
    expect(await names(app, 'after=2026-11-01T00:00:02.000000%2B00:00')).toBe('dc');
    expect(await names(app, 'after=-20d')).toBe('dcba');
    expect(await names(app, 'after=-24h')).toBe('');
    expect(await names(app, 'after=')).toBe('dcba');
  });

  test('M7.1/before only earlier events, by default none more than five seconds ahead of now', async () => {
    const app = await openWithFour();
    await send(app, [{ event: 'z', timestamp: new Date(app.clock.now + 60_000).toISOString() }]);
    expect(await names(app, `before=${iso(2)}`)).toBe('a');
    expect(await names(app, 'before=-1d')).toBe('dcba');
    expect(await names(app, '')).toBe('dcba');
    expect(await names(app, 'before=2026-12-01')).toBe('zdcba');
  });

  test('M7.1/distinct_id exactly that one; a number is read as text', async () => {
    const app = await openWithFour();
    expect(await names(app, 'distinct_id=7')).toBe('c');
    expect(await names(app, 'distinct_id=U1')).toBe('');
  });

  test('M7.1/event exactly that name; heatmaps are listed only by theirs', async () => {
    const app = await openWithFour();
    await send(app, [{ event: '$$heatmap', timestamp: iso(5) }]);
    expect(await names(app, 'event=b')).toBe('b');
    expect(await names(app, 'event=B')).toBe('');
    expect(await names(app, 'distinct_id=u1')).toBe('dba');
    expect(await names(app, 'event=$$heatmap')).toBe('$$heatmap');
  });

  test('M7.1/select each event by its expressions, and the stored event without expressions', async () => {
    const app = await openWithFour();
    const asked = async (search: string) => (await app.ask(`${EVENTS}?${search}`)).json.results;
    expect(await asked(`event=b&${encoded('select', ['event'])}`)).toEqual([{ event: 'b' }]);
    expect((await asked('event=b&select='))[0]).toHaveProperty('elements_chain');
  });
  test('M7.1/where only events for which all expressions are true', async () => {
    const app = await openWithFour();
    const found = await list(app, `?${encoded('where', [`event != 'b'`, '1 = 1'])}&where=`);
    expect(found.results.map(({ event }) => event)).not.toContain('b');
    expect(found.results).toHaveLength(3);
  });
  test('M7.1/action_id only events that match a step of the action', async () => {
    const app = await openWithFour();
    const elements = 'a.buy:href="/pay"nth-child="1"text="Buy now";div:nth-child="2"';
    const $current_url = 'https://shop.example/pricing?x=1';
    await send(app, [
      { event: 'e', timestamp: iso(5), properties: { $current_url } },
      { event: '$autocapture', timestamp: iso(6), properties: { $elements_chain: elements } },
    ]);
    const byAction = async (...steps: object[]): Promise<string> => {
      const body = { name: JSON.stringify(steps), steps };
      const { id } = (await app.ask('/api/projects/1/actions/', { method: 'POST', body })).json;
      return names(app, `action_id=${id}`);
    };
    expect(await byAction({ event: 'a' }, { event: 'c' })).toBe('ca');
    expect(await byAction({ event: 'A' })).toBe('');
    expect(await byAction({ url: '/pricing' })).toBe('e');
    expect(await byAction({ url: '/pricing', url_matching: 'exact' })).toBe('');
    expect(await byAction({ url: 'pric.*x=\\d$', url_matching: 'regex', event: 'e' })).toBe('e');
    expect(await byAction({ properties: [{ key: '$browser', value: 'Firefox' }] })).toBe('da');
    expect(await byAction({ event: 'd', properties: [{ key: 'plan', value: 'free' }] })).toBe('');
    for (const step of [
      { tag_name: 'a' },
      { selector: 'div a.buy' },
      { text: 'Buy now', href: '/pay' },
      { text: 'buy', text_matching: 'contains' },
    ])
      expect(await byAction({ event: '$autocapture', ...step })).toBe('$autocapture');
    expect(await byAction({ text: 'Sell' })).toBe('');
    expect(await byAction()).toBe('');
  });

  test('M7.1/action_id an unknown or deleted action has no events; text that is not a number is refused', async () => {
    const app = await openWithFour();
    const body = { name: 'A', steps: [{ event: 'a' }] };
    const { id } = (await app.ask('/api/projects/1/actions/', { method: 'POST', body })).json;
    expect(await names(app, `action_id=${id}&event=b`)).toBe('');
    expect(await names(app, `action_id=${id}&limit=1`)).toBe('a');
    expect(await names(app, 'action_id=')).toBe('dcba');
    await app.ask(`/api/projects/1/actions/${id}/`, { method: 'PATCH', body: { deleted: true } });
    for (const unknown of [id, 999, 0, -1, 99_999_999_999])
      expect(await names(app, `action_id=${unknown}`)).toBe('');
    expect((await app.ask(`${EVENTS}?action_id=one`)).json).toMatchObject({
      attr: 'action_id',
      code: 'invalid_input',
    });
  });

  test('M7.1/orderBy newest first by default, by no other column', async () => {
    const app = await openWithFour();
    expect(await names(app, encoded('orderBy', ['-timestamp']))).toBe('dcba');
    expect(await names(app, `${encoded('orderBy', ['timestamp'])}&limit=3`)).toBe('abcd');
    expect((await app.ask(`${EVENTS}?${encoded('orderBy', ['event'])}`)).json.attr).toBe('orderBy');
  });

  test('M7.1/limit a whole number from 1, a hundred by default, and never more than 50,000', async () => {
    const app = await openWithFour();
    expect((await list(app, '?limit=3')).results).toHaveLength(3);
    for (const limit of ['0', '-1', 'ten', '1.5']) {
      expect((await app.ask(`${EVENTS}?limit=${limit}`)).json).toMatchObject({
        code: 'invalid_input',
        attr: 'limit',
      });
    }
    await app.store.db.run(
      `INSERT INTO events (project_id, timestamp, uuid, event, distinct_id, person_id, properties, received_at, historical)
       SELECT 1, '2026-10-01'::TIMESTAMP, uuid(), 'old', 'u', 0, '{}', now()::TIMESTAMP, false FROM range(50001)`,
    );
    expect((await list(app)).results).toHaveLength(100);
    expect((await list(app, '?limit=999999999')).results).toHaveLength(50_000);
  });

  test('M7.1/offset skips that many events; an invalid one skips none', async () => {
    const app = await openWithFour();
    expect(await names(app, 'offset=1')).toBe('cba');
    expect(await names(app, 'offset=4')).toBe('');
    for (const offset of ['', 'two', '-1', '1.5']) expect(await names(app, `offset=${offset}`)).toBe('dcba');
  });

  test('M7.1/format CSV by name or by Accept, JSON by default, and no other format', async () => {
    const app = await openWithFour();
    const typeOf = async (search: string, accept?: string): Promise<string | undefined> =>
      (await app.ask(EVENTS + search, accept === undefined ? {} : { headers: { Accept: accept } })).headers[
        'content-type'
      ];
    expect(await typeOf('?format=csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('', 'text/csv')).toBe('text/csv; charset=utf-8');
    expect(await typeOf('?format=json', 'text/csv')).toBe('application/json');
    expect(await typeOf('')).toBe('application/json');
    expect((await app.ask(`${EVENTS}?format=xml`)).status).toBe(404);
  });

  test.each(['true', 'false', '', '1'])(
    'M7.1/include_person the person is included, also for %j',
    async (value) => {
      const app = await openWithFour();
      const [event] = (await list(app, `?event=b&include_person=${value}`)).results;
      expect(JSON.parse(event!.person).distinct_ids).toEqual(['u1']);
    },
  );
});
