import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { createSchemaVersions } from './project-schema-version.ts';

async function openFacts() {
  const app = await openTestApp();
  const facts = createSchemaVersions({
    db: app.store.db,
    channel: app.store.service('capture'),
    config: { fast: true },
  });
  return { app, learn: () => facts.of(1) };
}

test('an event with known properties changes the version of the data, and not the inputs of compiled queries', async () => {
  const { app, learn } = await openFacts();
  await sendEvents(app, [{ event: 'seen', properties: { plan: 'pro' } }]);
  const before = await learn();
  await sendEvents(app, [{ event: 'seen', properties: { plan: 'free' } }]);
  const after = await learn();
  expect(after.version).toBeGreaterThan(before.version);
  expect(after.inputs).toEqual(before.inputs);
});

test('a new property is in the shape immediately', async () => {
  const { app, learn } = await openFacts();
  await sendEvents(app, [{ event: 'seen' }]);
  const before = await learn();
  expect(before.inputs.propertyType('event', 'seats')).toBeNull();
  await sendEvents(app, [{ event: 'seen', properties: { seats: 3 } }]);
  expect((await learn()).inputs.propertyType('event', 'seats')).toBe('Numeric');
});

test('merged persons are in the shape immediately', async () => {
  const { app, learn } = await openFacts();
  await sendEvents(app, [
    { event: 'seen', distinct_id: 'somebody' },
    { event: 'seen', distinct_id: 'lin' },
  ]);
  expect((await learn()).inputs.mayHaveMerges).toBe(false);
  const merge = { event: '$identify', distinct_id: 'lin', properties: { $anon_distinct_id: 'somebody' } };
  await sendEvents(app, [merge]);
  expect((await learn()).inputs.mayHaveMerges).toBe(true);
});
