import { expect, test } from 'vitest';
import { answerTo, post, sendBySdk } from '../../../../../test/support/query-shop.ts';
import { openTestApp } from '../../../../../test/support/test-app.ts';

const asked = (query: string, values: object) => ({ kind: 'HogQLQuery', query, values });

test('M9.9 in an empty list is always false, and not in is always true', async () => {
  const app = await openTestApp();
  await sendBySdk(app);
  const count = async (condition: string, names: unknown[]): Promise<number> =>
    (await answerTo(app, asked(`select count() from events where ${condition}`, { names }))).results[0][0];
  expect(await count('event in {names}', [])).toBe(0);
  expect(await count('event not in {names}', [])).toBe(9);
  expect(await count('event in {names}', ['signup'])).toBe(3);
  expect(await count('event not in {names}', ['signup'])).toBe(6);
});

test('M9.9 an invalid value is refused by its name, and not reported as missing', async () => {
  const app = await openTestApp();
  const detail = async (values: object): Promise<string> => {
    const answer = await post(app, 'query/', { query: asked('select event in {names} from events', values) });
    expect(answer.status).toBe(400);
    return answer.json.detail;
  };
  expect(await detail({})).toContain('No value was provided for {names}');
  expect(await detail({ names: [{ a: 1 }] })).toContain('The value of {names} cannot be used in a query');
  expect(await detail({ names: { a: 1 } })).toContain('The value of {names} cannot be used in a query');
});
