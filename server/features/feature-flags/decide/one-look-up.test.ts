// @module-tag fast
import { expect, onTestFinished, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../test/support/app-flags.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestStore } from '../../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

/** An app, and the number of lookups of its cache of persons and groups in the thread of the database. */
async function openCounted(): Promise<{ app: TestApp; lookUps: () => number }> {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  let asked = 0;
  const service: typeof store.service = (name) => {
    const channel = store.service(name);
    const post: typeof channel.post = (message, ...rest) => {
      if ((message as { kind: string }).kind === 'asked') asked++;
      channel.post(message, ...rest);
    };
    return { ...channel, post };
  };
  return { app: await openTestApp({ store: { ...store, service } }), lookUps: () => asked };
}

test('7.10 a request needs one lookup for everything that is not in memory, and none for what is', async () => {
  const { app, lookUps } = await openCounted();
  const inCompany = { key: 'plan', type: 'group', group_type_index: 0, operator: 'exact', value: 'pro' };
  await createFlag(app, 'pro', { filters: filtersOn([{ key: 'plan', type: 'person', value: 'pro' }]) });
  await createFlag(app, 'us', {
    filters: filtersOn([{ key: '$geoip_country_code', type: 'person', value: 'US' }]),
  });
  await createFlag(app, 'sticky', { filters: filtersOn([]), ensure_experience_continuity: true });
  const groups = { aggregation_group_type_index: 0, groups: filtersOn([inCompany]).groups };
  await sendEvents(app, [
    { distinct_id: 'u1', $set: { plan: 'pro' } },
    {
      event: '$groupidentify',
      distinct_id: 'u1',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { plan: 'pro' } },
    },
  ]);
  await createFlag(app, 'company', { filters: groups });
  const ask = async (body: object) => {
    const before = lookUps();
    const answer = await app.ask('/decide/?v=3', {
      method: 'POST',
      key: null,
      headers: { 'X-Forwarded-For': '8.8.8.8' },
      body: { token: TEST_TOKEN, ...body },
    });
    return [answer.json.featureFlags, lookUps() - before];
  };
  const known = { distinct_id: 'u1', $anon_distinct_id: 'anon', groups: { company: 'acme', 'no type': 'x' } };
  const flags = { pro: true, us: true, sticky: true, company: true };
  expect(await ask(known)).toEqual([flags, 1]);
  // What was kept of the flag that goes on across signing in is read with the person.
  expect(await ask(known)).toEqual([flags, 1]);
  expect(await ask(known)).toEqual([flags, 0]);
});
