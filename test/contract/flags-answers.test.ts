import { expect, test } from 'vitest';
import { createFlag, filtersOn, storeFilters } from '../support/app-flags.ts';
import { nodeClients } from '../support/node-client.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

let app: TestApp;
const clients = nodeClients(() => ({ url: app.url, projectApiKey: TEST_TOKEN }));

async function ask(path: string): Promise<any> {
  const body = { token: TEST_TOKEN, distinct_id: 'u1' };
  const answer = await app.ask(path, { method: 'POST', key: null, body });
  expect(answer.status).toBe(200);
  return answer.json;
}

test('7.5 the supported compressions include those of every generation', async () => {
  app = await openTestApp();
  expect((await ask('/decide/?v=3')).supportedCompression).toEqual(['gzip', 'gzip-js', 'lz64']);
});

test('7.8 a flag that cannot be computed is left out, the response has the error flag, and the playground the cause', async () => {
  app = await openTestApp();
  const inCohort = { key: 'id', type: 'cohort', operator: 'in', value: 77 };
  await storeFilters(app, (await createFlag(app, 'broken')).id, filtersOn([inCohort]));
  await createFlag(app, 'whole', { filters: filtersOn([]) });
  expect(await ask('/decide/')).toMatchObject({ featureFlags: ['whole'] });
  expect((await ask('/decide/?v=2')).featureFlags).toEqual({ whole: true });
  const third = await ask('/decide/?v=3');
  expect([third.featureFlags, third.errorsWhileComputingFlags]).toEqual([{ whole: true }, true]);
  for (const path of ['/decide/?v=4', '/flags/?v=2']) {
    const { flags, errorsWhileComputingFlags } = await ask(path);
    const computed = Object.keys(flags).filter((key) => flags[key].failed !== true);
    expect([computed, errorsWhileComputingFlags]).toEqual([['whole'], true]);
  }
  const explained = await app.ask('/api/projects/1/burrow/feature_flags/explain/', {
    method: 'POST',
    body: { distinct_id: 'u1', ip: null },
  });
  expect(explained.json.errors).toEqual([{ key: 'broken', cause: 'Cohort 77 does not exist.' }]);
});

test('8.6 the older shape, in response to /flags/?v=2, is read by posthog-node too', async () => {
  app = await openTestApp();
  await createFlag(app, 'on', { filters: { ...filtersOn([]), payloads: { true: '{"a": 1}' } } });
  await createFlag(app, 'none', { filters: filtersOn([], 0) });
  const client = clients.connect({
    fetch: async (url, { headers, body, method }) =>
      fetch(url.replace('/flags/?v=2', '/flags/?v=1'), {
        method,
        headers,
        ...(body == null ? {} : { body: body as string }),
      }),
  });
  expect(await client.getAllFlagsAndPayloads('u1')).toEqual({
    featureFlags: { on: true, none: false },
    featureFlagPayloads: { on: { a: 1 } },
  });
  await client.shutdown();
});
