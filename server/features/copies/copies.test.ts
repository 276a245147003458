import { describe, expect, test } from 'vitest';
import { addMember } from '../../../test/support/members.ts';
import { TEST_KEY, TEST_TOKEN } from '../../../test/support/test-app.ts';
import {
  contentOf,
  COPIES,
  ended,
  graduate,
  openProxy,
  openTwo,
  rowsOf,
} from '../../../test/support/two-hosts.ts';

const FROM_HOST = '/api/projects/1/burrow/imports/from_host/';
const ORDER = { host_api_key: TEST_KEY, project_key: TEST_TOKEN };

describe('M9.15/graduate a project is copied to a host', () => {
  test('events, persons, groups, flags, cohorts, insights and dashboards are equal there, and a second copy adds nothing', async () => {
    const { source, target } = await openTwo();
    const found = await ended(source, (await graduate(source, target.url)).id);
    expect(found).toMatchObject({ state: 'done', problem: null, host_project: '1' });
    const [own, other] = [await contentOf(source), await contentOf(target)];
    for (const part of Object.keys(own)) expect(other[part], part).toEqual(own[part]);
    for (const { what, source: here, target: there } of found.checks)
      expect([what, there]).toEqual([what, here]);

    const events = await rowsOf(target, 'select count() from events');
    const again = await ended(source, (await graduate(source, target.url)).id);
    expect(again).toMatchObject({ state: 'done', added_events: 0 });
    expect(await contentOf(target)).toEqual(other);
    expect(await rowsOf(target, 'select count() from events')).toEqual(events);
    expect([...source.errors, ...target.errors]).toEqual([]);
  });

  test('a host that has too many requests is called again when it says so', async () => {
    const { source, target } = await openTwo();
    let refused = 0;
    const proxy = await openProxy(target, (req, res) => {
      const isFirst =
        refused < 2 &&
        (req.url === '/batch/'
          ? refused === 0
          : refused === 1 && req.method === 'POST' && req.url!.endsWith('/cohorts/'));
      if (!isFirst) return true;
      refused++;
      res
        .writeHead(429, { 'Retry-After': '1', 'Content-Type': 'application/json' })
        .end('{"detail":"Slow."}');
      return false;
    });
    const found = await ended(source, (await graduate(source, proxy.url)).id);
    expect([found.state, found.problem, refused]).toEqual(['done', null, 2]);
    for (const { what, source: here, target: there } of found.checks)
      expect([what, there]).toEqual([what, here]);
  });

  test('with a wrong key, or a project key of another project, nothing is sent', async () => {
    const { source, target } = await openTwo();
    const proxy = await openProxy(target);
    const wrong = await ended(source, (await graduate(source, proxy.url, { host_api_key: 'phx_wrong' })).id);
    expect(wrong).toMatchObject({
      state: 'failed',
      problem: `${proxy.url} refused the key (status 401). This personal API key is not valid.`,
    });
    const other = await ended(source, (await graduate(source, proxy.url, { project_key: 'phc_other' })).id);
    expect(other).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('not that of project 1'),
    });
    expect(proxy.passed.filter((one) => one.startsWith('POST'))).toEqual([]);
    expect(JSON.stringify([wrong, other])).not.toMatch(/phx_wrong|phc_other/);
    // With the right keys it goes on.
    const resumed = await source.ask(`${COPIES}${wrong.id}/resume/`, { method: 'POST', body: ORDER });
    expect(resumed.status, resumed.text).toBe(200);
    expect((await ended(source, wrong.id)).state).toBe('done');
  });

  test('M9.15/dry a dry run counts, and calls no host, also where the owner allows no calls', async () => {
    const { source, target } = await openTwo();
    const proxy = await openProxy(target);
    await source.ask('/api/burrow/outgoing/graduate/', { method: 'PUT', body: { is_on: false } });
    const dry = await source.ask(COPIES, { method: 'POST', body: { host: proxy.url, dry_run: true } });
    const found = await ended(source, dry.json.id);
    expect(found).toMatchObject({
      state: 'checked',
      totals: { events: 11, persons: 3, groups: 3, definitions: 16 },
      copied: { events: 0, persons: 0, groups: 0, definitions: 0 },
    });
    expect(proxy.passed).toEqual([]);
    const refused = await source.ask(COPIES, { method: 'POST', body: { ...ORDER, host: proxy.url } });
    expect([refused.status, refused.json.detail]).toEqual([
      409,
      'Copying to a host is turned off in Settings > Privacy.',
    ]);
  });

  test('of two that begin together one runs, and the other leaves nothing behind', async () => {
    const { source, target } = await openTwo();
    const body = { ...ORDER, host: target.url };
    const answers = await Promise.all([1, 2].map(() => source.ask(COPIES, { method: 'POST', body })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    await ended(source, answers.find(({ status }) => status === 201)!.json.id);
    const { results } = (await source.ask(COPIES)).json as { results: { state: string }[] };
    expect(results.map(({ state }) => state)).toEqual(['done']);
    const missing = await source.ask(COPIES, { method: 'POST', body: { host: target.url } });
    expect(missing).toMatchObject({ status: 400, json: { code: 'required', attr: 'host_api_key' } });
  });

  test('it is for admins, and for hosts that Burrow may call', async () => {
    const { source } = await openTwo();
    const member = await addMember(source, 'lin@burrow.test');
    const body = { ...ORDER, host: 'http://169.254.169.254' };
    expect((await source.ask(COPIES, { method: 'POST', body, key: member.key })).status).toBe(403);
    expect((await source.ask(COPIES, { key: member.key })).status).toBe(403);
    expect((await source.ask(COPIES, { method: 'POST', body })).json).toMatchObject({
      code: 'invalid_input',
      attr: 'host',
    });
  });
});

describe('M9.15/from-host a project of a host is imported', () => {
  test('events, persons, groups, flags, cohorts, insights and dashboards are equal here, and a second time adds nothing', async () => {
    const { source: host, target: app } = await openTwo();
    await app.ask('/api/burrow/outgoing/import_from_host/', { method: 'PUT', body: { is_on: true } });
    const order = { host: host.url, host_api_key: TEST_KEY, project_id: 1 };
    const run = async (): Promise<any> => {
      const answer = await app.ask(FROM_HOST, { method: 'POST', body: order });
      expect(answer.status, answer.text).toBe(201);
      return await ended(app, answer.json.id);
    };
    const found = await run();
    expect(found).toMatchObject({
      state: 'done',
      problem: null,
      direction: 'from_host',
      downloaded_events: 11,
    });
    const [theirs, ours] = [await contentOf(host), await contentOf(app)];
    for (const part of Object.keys(theirs)) expect(ours[part], part).toEqual(theirs[part]);
    for (const { what, source, target } of found.checks) expect([what, target]).toEqual([what, source]);
    const { results: imports } = (await app.ask('/api/projects/1/burrow/imports/')).json;
    expect(imports).toMatchObject([
      { id: found.import_id, state: 'done', name: '127.0.0.1-project-1.jsonl' },
    ]);
    expect(await run()).toMatchObject({ state: 'done', added_events: 0 });
    expect(await contentOf(app)).toEqual(ours);
    expect([...host.errors, ...app.errors]).toEqual([]);
  });

  test('a wrong key, and a host that is not allowed, import nothing', async () => {
    const { source: host, target: app } = await openTwo();
    const proxy = await openProxy(host);
    const order = { host: proxy.url, host_api_key: 'phx_wrong', project_id: 1 };
    expect((await app.ask(FROM_HOST, { method: 'POST', body: order })).json).toMatchObject({
      code: 'conflict',
      detail: 'Importing from a host is turned off in Settings > Privacy.',
    });
    expect(proxy.passed).toEqual([]);
    await app.ask('/api/burrow/outgoing/import_from_host/', { method: 'PUT', body: { is_on: true } });
    const { id } = (await app.ask(FROM_HOST, { method: 'POST', body: order })).json;
    expect(await ended(app, id)).toMatchObject({
      state: 'failed',
      problem: `${proxy.url} refused the key (status 401). This personal API key is not valid.`,
    });
    expect(await rowsOf(app, 'select count() from events')).toEqual([[0]]);
    // Half a file is not imported.
    const { results: imports } = (await app.ask('/api/projects/1/burrow/imports/')).json;
    expect(imports).toMatchObject([{ state: 'downloading' }]);
    const start = await app.ask(`/api/projects/1/burrow/imports/${imports[0].id}/start/`, {
      method: 'POST',
      body: {},
    });
    expect(start.status).toBe(409);
  });
});
