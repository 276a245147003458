import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../test/support/app-flags.ts';
import { addMember, type TestMember } from '../../../../test/support/members.ts';
import { idOfPerson, PERSONS } from '../../../../test/support/app-persons.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

const PATH = '/api/projects/1/burrow/flag_overrides/';
const VARIANTS = {
  multivariate: {
    variants: [
      { key: 'control', rollout_percentage: 50 },
      { key: 'friendly', rollout_percentage: 50 },
    ],
  },
};

/** Creates a flag for all persons; returns its id. */
const addFlag = async (app: TestApp, key: string, more: object = {}): Promise<number> =>
  (await createFlag(app, key, { filters: { ...filtersOn([]), ...more } })).id;
const force = (app: TestApp, body: object) => app.ask(PATH, { method: 'POST', body });
const end = (app: TestApp, rest: string) => app.ask(PATH + rest, { method: 'DELETE' });
const list = async (app: TestApp, query = '') => (await app.ask(PATH + query)).json.results;

describe('an override is listed and deleted in one place', () => {
  test('it has the value, distinct id and end time', async () => {
    const app = await openTestApp();
    const id = await addFlag(app, 'editor', VARIANTS);
    const answer = await force(app, {
      key: 'editor',
      distinct_id: 'ada',
      value: 'friendly',
      payload: { tone: 'warm' },
      expires_at: '2026-11-20T10:00:00Z',
    });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      key: 'editor',
      flag_id: id,
      distinct_id: 'ada',
      value: 'friendly',
      payload: '{"tone":"warm"}',
      expires_at: '2026-11-20T10:00:00.000000Z',
      problem: null,
      created_at: '2026-11-20T09:30:00.000000Z',
    });
    expect(await list(app)).toEqual([answer.json]);
  });

  test('M9.12 it is created by PUT, and replaced by another PUT', async () => {
    const app = await openTestApp();
    await addFlag(app, 'editor', VARIANTS);
    const put = (value: unknown) =>
      app.ask(PATH, { method: 'PUT', body: { key: 'editor', distinct_id: 'ada', value } });
    const first = await put('control');
    expect([first.status, first.json.value]).toEqual([201, 'control']);
    const second = await put('friendly');
    expect(await list(app)).toEqual([second.json]);
  });

  test('another one for the same flag and the same distinct id replaces it', async () => {
    const app = await openTestApp();
    await addFlag(app, 'editor');
    for (const distinct_id of ['ada', null]) {
      await force(app, { key: 'editor', distinct_id, value: true });
      await force(app, { key: 'editor', distinct_id, value: false });
    }
    const left = await list(app);
    expect(left.map((one: any) => [one.distinct_id, one.value])).toEqual([
      [null, false],
      ['ada', false],
    ]);
  });

  test('it can be deleted alone, by flag, by distinct id, and with all others', async () => {
    const app = await openTestApp();
    for (const key of ['a', 'b', 'c']) {
      await addFlag(app, key);
      for (const distinct_id of [null, 'ada', 'ben']) await force(app, { key, distinct_id, value: true });
    }
    const [first] = await list(app);
    expect((await end(app, `${first.id}/`)).status).toBe(204);
    expect((await end(app, `${first.id}/`)).status).toBe(404);
    expect((await end(app, '?key=a')).json).toEqual({ ended: 3 });
    expect((await end(app, '?distinct_id=ada')).json).toEqual({ ended: 2 });
    expect((await end(app, '')).json).toEqual({ ended: 3 });
    expect(await list(app)).toEqual([]);
  });

  test('an expired one is left out of the list and of responses', async () => {
    const app = await openTestApp();
    await addFlag(app, 'editor');
    await force(app, { key: 'editor', value: true, expires_at: '2026-11-20T10:00:00Z' });
    app.clock.now = Date.UTC(2026, 10, 20, 10);
    expect(await list(app)).toEqual([]);
    expect((await end(app, '')).json).toEqual({ ended: 0 });
  });
});

describe('an invalid override is refused', () => {
  test.each([
    ['an unknown flag', { key: 'none', value: true }, 'does_not_exist', 'key'],
    ['a variant that the flag has not', { key: 'editor', value: 'formal' }, 'invalid_choice', 'value'],
    ['a variant of a flag without any', { key: 'plain', value: 'friendly' }, 'invalid_choice', 'value'],
    ['an inherited word as variant', { key: 'plain', value: '__proto__' }, 'invalid_choice', 'value'],
    ['a number', { key: 'plain', value: 1 }, 'invalid_input', 'value'],
    ['no value', { key: 'plain' }, 'required', 'value'],
    ['null', { key: 'plain', value: null }, 'null', 'value'],
    ['a payload of a flag that is off', { key: 'plain', value: false, payload: 1 }, 'invalid', 'payload'],
    [
      'a payload of a megabyte',
      { key: 'plain', value: true, payload: 'x'.repeat(1e6) },
      'invalid_input',
      'payload',
    ],
    ['an empty distinct id', { key: 'plain', value: true, distinct_id: '' }, 'blank', 'distinct_id'],
    [
      'an end in the past',
      { key: 'plain', value: true, expires_at: '2026-11-20T09:30:00Z' },
      'invalid',
      'expires_at',
    ],
    ['an invalid end time', { key: 'plain', value: true, expires_at: 'soon' }, 'invalid_input', 'expires_at'],
  ])('%s', async (_name, body, code, attr) => {
    const app = await openTestApp();
    await addFlag(app, 'editor', VARIANTS);
    await addFlag(app, 'plain');
    const answer = await force(app, body);
    expect([answer.status, answer.json.code, answer.json.attr]).toEqual([400, code, attr]);
    expect(await list(app)).toEqual([]);
  });

  test('lone surrogates and hostile keys in a payload are stored as text', async () => {
    const app = await openTestApp();
    await addFlag(app, 'plain');
    const answer = await force(app, {
      key: 'plain',
      distinct_id: 'a\ud800b',
      value: true,
      payload: '{"__proto__":{"a":1},"b":"\\ud800"}',
    });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.json.payload)).toHaveProperty('b');
  });
});

describe('presets', () => {
  test('all on: true, or of variants the first that is not called control', async () => {
    const app = await openTestApp();
    await addFlag(app, 'editor', VARIANTS);
    await addFlag(app, 'plain');
    await force(app, { key: 'plain', value: false });
    const answer = await app.ask(`${PATH}preset/`, { method: 'POST', body: { preset: 'all_on' } });
    expect(answer.json).toEqual({ overridden: 2 });
    const values = (await list(app)).map((one: any) => [one.key, one.value]);
    expect(Object.fromEntries(values)).toEqual({ editor: 'friendly', plain: true });
  });

  test('all off, for one distinct id, keeps those for all users', async () => {
    const app = await openTestApp();
    await addFlag(app, 'plain');
    await force(app, { key: 'plain', value: true });
    const body = { preset: 'all_off', distinct_id: 'ada' };
    expect((await app.ask(`${PATH}preset/`, { method: 'POST', body })).json).toEqual({ overridden: 1 });
    const values = (await list(app)).map((one: any) => [one.distinct_id, one.value]);
    expect(Object.fromEntries(values)).toEqual({ null: true, ada: false });
  });
});

describe('permissions for overrides', () => {
  const P = '/api/projects/1/';

  async function setLevel(app: TestApp, flagId: number, lin: TestMember, level: string): Promise<void> {
    const { access } = app.app.features;
    const target = { projectId: 1, resource: 'feature_flag', resourceId: String(flagId) };
    await app.store.db.transaction((tx) =>
      access.setRule(tx, { ...target, memberId: lin.membershipId, roleId: null }, level),
    );
    await access.load();
  }

  test('a member overrides flags with edit access, lists visible ones, and cannot delete others', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const ids = [await addFlag(app, 'seen'), await addFlag(app, 'hidden'), await addFlag(app, 'mine')];
    await setLevel(app, ids[0]!, lin, 'viewer');
    await setLevel(app, ids[1]!, lin, 'none');
    for (const key of ['seen', 'hidden', 'mine']) await force(app, { key, value: true });
    const shown = (await lin.ask(PATH)).json.results;
    expect(shown.map((one: any) => one.key)).toEqual(['mine', 'seen']);
    for (const key of ['seen', 'hidden']) {
      const answer = await lin.ask(PATH, { method: 'POST', body: { key, value: false } });
      expect([answer.status, answer.json.code]).toEqual([403, 'permission_denied']);
    }
    const seen = shown.find((one: any) => one.key === 'seen');
    expect((await lin.ask(`${PATH}${seen.id}/`, { method: 'DELETE' })).status).toBe(403);
    const preset = await lin.ask(`${PATH}preset/`, { method: 'POST', body: { preset: 'all_off' } });
    expect(preset.json).toEqual({ overridden: 1 });
    expect((await lin.ask(PATH, { method: 'DELETE' })).json).toEqual({ ended: 1 });
    expect((await list(app)).map((one: any) => one.key)).toEqual(['hidden', 'seen']);
  });

  test('the history of a flag lists it, without the distinct id', async () => {
    const app = await openTestApp();
    const id = await addFlag(app, 'plain');
    await force(app, { key: 'plain', distinct_id: 'ada@home.example', value: true });
    await end(app, '');
    const log = await app.ask(`${P}activity_log/?scope=FeatureFlag&item_id=${id}`);
    expect(log.json.results.map((entry: any) => [entry.activity, entry.detail.name])).toEqual([
      ['override ended', 'plain'],
      ['overridden', 'plain'],
      ['created', 'plain'],
    ]);
    expect(log.text).not.toContain('ada@home');
  });

  test('a project does not see the overrides of another', async () => {
    const app = await openTestApp();
    await addFlag(app, 'plain');
    await force(app, { key: 'plain', value: true });
    const other = await app.ask('/api/organizations/@current/projects/', {
      method: 'POST',
      body: { name: 'Other' },
    });
    const path = `/api/projects/${other.json.id}/burrow/flag_overrides/`;
    expect((await app.ask(path)).json.results).toEqual([]);
    expect((await app.ask(path, { method: 'DELETE' })).json).toEqual({ ended: 0 });
    const [one] = await list(app);
    expect((await app.ask(`${path}${one.id}/`, { method: 'DELETE' })).status).toBe(404);
  });
});

test('an override of a removed variant, or of a deleted flag, has a problem', async () => {
  const app = await openTestApp();
  await addFlag(app, 'editor', VARIANTS);
  await force(app, { key: 'editor', value: 'friendly' });
  await app.store.db.run("UPDATE feature_flags SET filters = '{}'");
  expect((await list(app))[0].problem).toBe('The flag no longer has the variant friendly.');
  await app.store.db.run('UPDATE feature_flags SET deleted = true');
  expect((await list(app))[0]).toMatchObject({
    flag_id: null,
    problem: 'There is no active flag with the key editor.',
  });
});

test('the overrides of a person end when the person is deleted', async () => {
  const app = await openTestApp();
  await addFlag(app, 'plain');
  await sendEvents(app, [{ distinct_id: 'ada', $set: { email: 'ada@shop.example' } }]);
  await sendEvents(app, [{ distinct_id: 'ben', $set: { email: 'ben@shop.example' } }]);
  for (const distinct_id of ['ada', 'ben', 'nobody', null]) {
    await force(app, { key: 'plain', distinct_id, value: true });
  }
  const id = await idOfPerson(app, 'ada');
  expect((await app.ask(`${PERSONS}${id}/`, { method: 'DELETE' })).status).toBe(202);
  const body = { distinct_ids: ['nobody'], delete_events: true };
  await app.ask(`${PERSONS}bulk_delete/`, { method: 'POST', body });
  const left = (await list(app)).map((one: any) => one.distinct_id);
  expect(left).toEqual([null, 'ben']);
});

test('overrides apply to /flags and /decide, are named in the reason, and do not change definitions', async () => {
  const app = await openTestApp();
  await addFlag(app, 'editor', VARIANTS);
  const definitions = () => app.ask('/flags/definitions?send_cohorts');
  const ask = async (path: string, distinct_id: string) => {
    const body = { api_key: TEST_TOKEN, distinct_id };
    return (await app.ask(path, { method: 'POST', key: null, body })).json;
  };
  const before = await definitions();
  const expires_at = '2026-11-20T10:00:00Z';
  await force(app, { key: 'editor', value: false, expires_at });
  await force(app, {
    key: 'editor',
    distinct_id: 'ada',
    value: 'friendly',
    payload: { tone: 1 },
    expires_at,
  });
  expect((await ask('/flags/?v=2', 'ada')).flags.editor).toMatchObject({
    enabled: true,
    variant: 'friendly',
    reason: { code: 'condition_match', description: 'Overridden on this machine for this distinct id' },
    metadata: { payload: '{"tone":1}' },
  });
  expect((await ask('/flags/?v=2', 'ben')).flags.editor).toMatchObject({
    enabled: false,
    variant: null,
    reason: { description: 'Overridden on this machine for everyone' },
  });
  expect((await ask('/decide/?v=3', 'ada')).featureFlags).toEqual({ editor: 'friendly' });
  const during = await definitions();
  expect([during.text, during.headers['etag']]).toEqual([before.text, before.headers['etag']]);
  app.clock.now = Date.parse(expires_at);
  expect((await ask('/flags/?v=2', 'ben')).flags.editor.reason.description).toBe('Matched condition set 1');
});
