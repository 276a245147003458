import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';

const PATH = '/api/burrow/own/';

/** A batch of one person: what it sets last, behind so many bytes. */
function batchOf(plan: string, bytes: number): Buffer {
  const filler = { event: 'filler', distinct_id: 'ada', properties: { text: 'x'.repeat(bytes) } };
  const set = { event: '$set', distinct_id: 'ada', properties: { $set: { plan } } };
  return Buffer.from(JSON.stringify({ api_key: TEST_TOKEN, batch: [filler, set] }));
}

test('a batch of this server waits for room behind those before it, also when it would fit', async () => {
  const app = await openTestApp();
  const { capture } = app.app.features;
  const { gate } = capture;
  const held = gate.limit - 2_000;
  expect(gate.tryTake(held)).toBe(true);
  const order: string[] = [];
  const stored = [10_000, 10].map((bytes, at) =>
    capture.store(batchOf(`p${at}`, bytes), PATH).then(() => order.push(`p${at}`)),
  );
  await sleep(100);
  gate.release(held);
  await Promise.all(stored);
  expect(order).toEqual(['p0', 'p1']);
});

test('batches of this server are stored in their order, whatever their size is', async () => {
  const app = await openTestApp();
  const { capture } = app.app.features;
  const batches = Array.from({ length: 6 }, (_, at) => batchOf(`p${at}`, at % 2 === 0 ? 1_200_000 : 10));
  await Promise.all(batches.map((batch) => capture.store(batch, PATH)));
  const person = (await app.ask('/api/projects/1/persons/?distinct_id=ada')).json.results[0];
  expect(person.properties.plan).toBe('p5');
});
