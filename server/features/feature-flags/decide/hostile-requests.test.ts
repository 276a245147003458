// @module-tag deep
import { expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../test/support/app-flags.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

const MANY = 200_000;
const DEEP = 100_000;

/** Flags that look at a property in each way that reads it as text, number, date or version. */
async function open(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [{ properties: { $groups: { company: 'acme' } } }]);
  const operators = [
    ['exact', 'x'],
    ['icontains', 'x'],
    ['regex', '(a+)+$'],
    ['gt', 5],
    ['is_date_before', '2026-01-01'],
    ['semver_gt', '1.0.0'],
    ['is_set', 'is_set'],
  ] as const;
  for (const [operator, value] of operators) {
    for (const [key, type] of [
      ['x', 'person'],
      ['__proto__', 'person'],
    ] as const) {
      const name = `${operator}-${key === 'x' ? 'x' : 'proto'}`;
      await createFlag(app, name, { filters: filtersOn([{ key, value, operator, type }]) });
    }
  }
  return app;
}

/** Every request is answered with all flags, or refused with 400 or 413. */
async function ask(app: TestApp, body: string): Promise<number> {
  const path = '/flags/?v=2';
  const answer = await app.ask(path, { method: 'POST', key: null, body });
  if (answer.status === 200) expect(Object.keys(answer.json.flags)).toHaveLength(14);
  else expect([400, 413]).toContain(answer.status);
  return answer.status;
}

const request = (rest: string): string => `{"token":"${TEST_TOKEN}","distinct_id":"u1",${rest}}`;
const nested = '['.repeat(DEEP) + ']'.repeat(DEEP);
const names = (value: string) => Array.from({ length: MANY }, (_, n) => `"n${n}":${value}`).join(',');

test('7.6 a flags request with arbitrary or very large content does no harm', async () => {
  const app = await open();
  const properties = [
    'null',
    '{}',
    '[]',
    '1e400',
    '"\\ud800"',
    nested,
    `"${'a'.repeat(1_000_000)}!"`,
    `{"x":${nested}}`,
  ];
  for (const value of properties) {
    await ask(app, request(`"person_properties":{"x":${value},"__proto__":${value}}`));
    await ask(app, request(`"group_properties":{"company":{"x":${value}}},"groups":{"company":${value}}`));
    for (const field of [
      '$anon_distinct_id',
      '$device_id',
      'evaluation_runtime',
      'evaluation_contexts',
      'geoip_disable',
    ]) {
      await ask(app, request(`"${field}":${value}`));
    }
  }
  const bodies = [
    `"person_properties":{${names('1')}}`,
    `"groups":{${names('"k"')},"__proto__":"acme","company":"${'k'.repeat(1_000_000)}"}`,
    `"group_properties":{"__proto__":{"x":1},"company":null,"constructor":{"x":1}},"groups":{"__proto__":"x","constructor":"y"}`,
    `"evaluation_contexts":[${Array.from({ length: MANY }, (_, n) => `"c${n}"`).join(',')}]`,
  ];
  for (const body of bodies) await ask(app, request(body));
  const keys = Array.from({ length: MANY }, (_, n) => `"k${n}"`).join(',');
  const none = await app.ask('/flags/?v=2', {
    method: 'POST',
    key: null,
    body: request(`"flag_keys_to_evaluate":[${keys},"__proto__","constructor"]`),
  });
  expect([none.status, none.json.flags]).toEqual([200, {}]);
  expect(await ask(app, request('"timezone":"UTC"'))).toBe(200);
  expect(app.errors).toEqual([]);
}, 120_000);
