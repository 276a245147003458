import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { insightVariable, insightVariablePage } from './insight-variables.contract.ts';

const PATH = '/api/projects/1/insight_variables/';
const UNKNOWN = '0190f0c1-0000-7000-8000-000000000001';
const NOON = '2026-11-20T09:30:00.000000Z';

const post = (app: TestApp, body: unknown) => app.ask(PATH, { method: 'POST', body });

async function create(app: TestApp, body: object) {
  const answer = await post(app, body);
  expect(answer.status).toBe(201);
  return insightVariable.parse(answer.json);
}

function errorOf({ status, json }: { status: number; json: any }) {
  return { status, type: json.type, code: json.code, attr: json.attr };
}

describe('a variable', () => {
  test('is created, shown and listed with every field', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const made = await create(app, {
      name: 'Sign-up plan',
      type: 'List',
      default_value: 'free',
      values: ['free', 'pro'],
      code_name: 'ignored',
    });
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Sign-up plan',
      type: 'List',
      default_value: 'free',
      code_name: 'signup_plan',
      values: ['free', 'pro'],
      created_by: owner.id,
      created_at: NOON,
    });
    expect((await app.ask(`${PATH}${made.id}`)).json).toEqual(made);
    const page = (await app.ask('/api/environments/1/insight_variables/')).json;
    expect(insightVariablePage.parse(page)).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [made],
    });
  });

  test.each([
    ['String', 'free'],
    ['Number', 12.5],
    ['Boolean', false],
    ['Date', '2025-03-04'],
    ['String', null],
    ['List', ['free', 'pro']],
  ])('of type %s has its default value %j unchanged', async (type, value) => {
    const app = await openTestApp();
    const { id } = await create(app, { name: 'A', type, default_value: value });
    expect((await app.ask(`${PATH}${id}/`)).json).toMatchObject({ default_value: value, values: null });
  });

  test.each([
    ['default_value', { any: 1 }],
    ['default_value', [{ any: 1 }]],
    ['values', ['free', { any: 1 }]],
  ])(
    'is refused when a query cannot contain its %s %j, unless it was stored earlier',
    async (attr, value) => {
      const app = await openTestApp();
      const { id } = await create(app, { name: 'A', type: 'List' });
      const patch = (body: object) => app.ask(`${PATH}${id}/`, { method: 'PATCH', body });
      for (const answer of [
        await post(app, { name: 'B', type: 'List', [attr]: value }),
        await patch({ [attr]: value }),
      ]) {
        expect([answer.status, answer.json]).toMatchObject([400, { code: 'invalid_input', attr }]);
      }
      const column = attr === 'values' ? 'value_list' : attr;
      const params = { id, value: JSON.stringify(value) };
      await app.store.db.run(`UPDATE insight_variables SET ${column} = $value WHERE id = $id`, params);
      expect((await patch({ name: 'Named', [attr]: value })).status).toBe(200);
    },
  );

  test('keeps omitted fields on PATCH, and always its code name', async () => {
    const app = await openTestApp();
    const { id } = await create(app, { name: 'Plan', type: 'String', default_value: 'free' });
    const change = (method: string, body: object) => app.ask(`${PATH}${id}/`, { method, body });
    expect((await change('PATCH', { name: 'Tariff' })).json).toMatchObject({
      name: 'Tariff',
      type: 'String',
      default_value: 'free',
      code_name: 'plan',
    });
    expect((await change('PATCH', { default_value: null })).json.default_value).toBeNull();
    expect((await change('PUT', { name: 'Day', type: 'Date' })).json).toMatchObject({
      name: 'Day',
      type: 'Date',
    });
    expect(errorOf(await change('PUT', { name: 'Day' }))).toMatchObject({ code: 'required', attr: 'type' });
  });

  test('is deleted permanently', async () => {
    const app = await openTestApp();
    const { id } = await create(app, { name: 'Plan', type: 'String' });
    expect(await app.ask(`${PATH}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(errorOf(await app.ask(`${PATH}${id}/`, { method }))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    }
    await create(app, { name: 'Plan', type: 'String' });
  });
});

test.each([
  [{ type: 'String' }, 'required', 'name'],
  [{ name: 'A' }, 'required', 'type'],
  [{ name: '', type: 'String' }, 'blank', 'name'],
  [{ name: 'x'.repeat(401), type: 'String' }, 'max_length', 'name'],
  [{ name: '?!', type: 'String' }, 'invalid_input', 'name'],
  [{ name: 'A', type: 'Text' }, 'invalid_choice', 'type'],
  [{ name: 'A', type: 'List', values: 'x' }, 'not_a_list', 'values'],
])('%j is refused', async (body, code, attr) => {
  const app = await openTestApp();
  expect(errorOf(await post(app, body))).toEqual({ status: 400, type: 'validation_error', code, attr });
});

test('two variables of a project have different code names', async () => {
  const app = await openTestApp();
  await create(app, { name: 'Sign up', type: 'String' });
  expect(errorOf(await post(app, { name: 'sign UP!', type: 'Date' }))).toEqual({
    status: 400,
    type: 'validation_error',
    code: 'unique',
    attr: 'name',
  });
});

test('an unknown variable is a 404, and so is an invalid id', async () => {
  const app = await openTestApp();
  for (const id of [UNKNOWN, '7']) expect((await app.ask(`${PATH}${id}/`)).status).toBe(404);
});

test('a key reads with insight_variable:read and writes with insight_variable:write', async () => {
  const app = await openTestApp();
  const body = { label: 'reader', scopes: ['insight_variable:read'] };
  const { value: key } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
  expect((await app.ask(PATH, { key })).status).toBe(200);
  const refused = await app.ask(PATH, { method: 'POST', key, body: { name: 'A', type: 'String' } });
  expect(refused.status).toBe(403);
  expect(refused.json.detail).toContain("missing required scope 'insight_variable:write'");
});
