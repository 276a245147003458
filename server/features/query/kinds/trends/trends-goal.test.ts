import { expect, test } from 'vitest';
import { post } from '../../../../../test/support/query-shop.ts';
import { openTestApp } from '../../../../../test/support/test-app.ts';

test('M9.9 a trend with a goal is refused by the name of the field, and one whose goal is null is computed', async () => {
  const app = await openTestApp();
  const ask = async (conversionGoal: unknown) =>
    await post(app, 'query/', {
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'a' }], conversionGoal },
    });
  for (const goal of [{ actionId: 7 }, { customEventName: 'bought' }, {}, 'bought']) {
    const answer = await ask(goal);
    expect([answer.status, answer.json.detail]).toEqual([400, expect.stringContaining('conversionGoal')]);
  }
  for (const goal of [null, undefined]) expect((await ask(goal)).status).toBe(200);
});
