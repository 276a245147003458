import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';

const send = (app: TestApp, method: string, path: string, body: object = {}) =>
  app.ask(P + path, { method, body });

/** The entries of the log, newest first. */
async function told(app: TestApp) {
  const { results } = (await app.ask(`${P}activity_log/?scopes=EventDefinition,PropertyDefinition`)).json;
  return results.map(({ activity, scope, detail }: any) => ({
    told: `${activity} ${scope} ${detail.name}`,
    changes: detail.changes.map(({ field, before, after }: any) => [field, before, after]),
  }));
}

test('edits of event names and properties are logged, with the values before', async () => {
  const app = await openTestApp();
  const { id } = (await send(app, 'POST', 'event_definitions/', { name: 'signup', tags: ['core'] })).json;
  await send(app, 'PATCH', `event_definitions/${id}/`, {
    description: 'By the form',
    tags: [],
    verified: false,
  });
  await send(app, 'DELETE', `event_definitions/${id}/`);
  expect(await told(app)).toEqual([
    { told: 'deleted EventDefinition signup', changes: [] },
    {
      told: 'updated EventDefinition signup',
      changes: [
        ['description', '', 'By the form'],
        ['tags', ['core'], []],
      ],
    },
    { told: 'created EventDefinition signup', changes: [] },
  ]);
});

test('an edited type of a property is logged; a detected type is not', async () => {
  const app = await openTestApp();
  const body = { api_key: TEST_TOKEN, batch: [{ event: 'a', distinct_id: 'u1', properties: { plan: 'x' } }] };
  await app.ask('/batch/', { method: 'POST', key: null, body });
  expect(await told(app)).toEqual([]);
  const { results } = (await app.ask(`${P}property_definitions/?search=plan`)).json;
  await send(app, 'PATCH', `property_definitions/${results[0].id}/`, { property_type: 'Numeric' });
  await send(app, 'PATCH', `property_definitions/${results[0].id}/`, { property_type: 'Numeric' });
  expect(await told(app)).toEqual([
    { told: 'updated PropertyDefinition plan', changes: [['property_type', 'String', 'Numeric']] },
  ]);
});
