import { expect, test } from 'vitest';
import { COHORTS, createCohort, did, ruleOf } from '../../../test/support/app-cohorts.ts';
import { openCountedStore, type CountedStore } from '../../../test/support/counted-store.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

async function openWithCohorts(size: number): Promise<{ app: TestApp; count: CountedStore['count'] }> {
  const { store, count } = await openCountedStore();
  const app = await openTestApp({ store });
  await sendEvents(app, [
    { distinct_id: 'u1', $set: { n: 1 } },
    { distinct_id: 'u2', $set: { n: 2 } },
  ]);
  for (let n = 0; n < size; n++) {
    await createCohort(
      app,
      n % 2 === 0 ? ruleOf({ key: 'n', operator: 'gt', value: n }) : ruleOf(did('seen')),
    );
  }
  return { app, count };
}

test('M9.2 many cohorts are counted by as many statements as few', async () => {
  const costOf = async (size: number): Promise<number> => {
    const { app, count } = await openWithCohorts(size);
    await sendEvents(app, [{ distinct_id: 'u3', $set: { n: 3 } }]);
    return await count(async () => {
      const { results } = (await app.ask(COHORTS)).json;
      expect(results.map(({ count: members }: { count: number }) => members)).toContain(3);
    });
  };
  expect(await costOf(16)).toBe(await costOf(4));
});

test('M9.2 a count is cached until persons change', async () => {
  const { app, count } = await openWithCohorts(1);
  const costOf = (members: number) =>
    count(async () => expect((await app.ask(`${COHORTS}1/`)).json.count).toBe(members));
  const known = await costOf(2);
  await sendEvents(app, [{ distinct_id: 'u3', $set: { n: 3 } }]);
  expect(await costOf(3)).toBe(known + 1);
  expect(await costOf(3)).toBe(known);
});
