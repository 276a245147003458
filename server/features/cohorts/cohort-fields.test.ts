import { expect, test } from 'vitest';
import { openTestApp } from '../../../test/support/test-app.ts';

const COHORTS = '/api/projects/1/cohorts/';
const PRO = { type: 'person', key: 'plan', operator: 'exact', value: ['pro'] };
const DID = { type: 'behavioral', value: 'performed_event', key: 'visit', event_type: 'events' };
const rule = (leaf: object, more: object = {}) => ({
  properties: { type: 'OR', values: [{ type: 'AND', values: [leaf] }] },
  ...more,
});

test('A-1 an unused field of a rule is refused by its name', async () => {
  const app = await openTestApp();
  const place = 'filters__properties__values__0__values__0';
  for (const [body, attr] of [
    [{ filters: rule(PRO, { filterTestAccounts: true }) }, 'filters__filterTestAccounts'],
    [{ filters: rule({ ...PRO, time_value: 3 }) }, `${place}__time_value`],
    [{ filters: rule({ ...DID, rolling: true }) }, `${place}__rolling`],
    [{ query: { kind: 'ActorsQuery', properties: [PRO], filterTestAccounts: true } }, 'query'],
  ] as const) {
    const { status, json } = await app.ask(COHORTS, { method: 'POST', body: { name: 'Pro', ...body } });
    expect([status, json.code, json.attr]).toEqual([400, 'invalid_input', attr]);
    expect(json.detail).toContain('is not supported yet.');
  }
});

test('unknown fields of a condition and disabled options are ignored', async () => {
  const app = await openTestApp();
  const leaf = { ...PRO, conditionHash: 'a1', bytecode: [1], time_value: null };
  const body = { name: 'Pro', filters: rule(leaf, { filterTestAccounts: false }) };
  const made = await app.ask(COHORTS, { method: 'POST', body });
  expect([made.status, made.json.filters]).toEqual([201, body.filters]);
});
