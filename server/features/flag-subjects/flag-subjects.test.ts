import { expect, test } from 'vitest';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { createFlagSubjects } from './flag-subjects.service.ts';

test('persons are forgotten beyond the limits and asked for anew; one alone may be larger than all of them', async () => {
  const app = await openTestApp();
  const text = 'x'.repeat(10_000);
  await sendEvents(app, [
    { distinct_id: 'small', properties: { $set: { n: 1 } } },
    { distinct_id: 'large', properties: { $set: { text } } },
  ]);
  const channel = app.store.service('flag-subjects');
  let messages = 0;
  const counted: typeof channel = {
    ...channel,
    post(message) {
      messages++;
      channel.post(message);
    },
  };
  const subjects = createFlagSubjects(counted, { persons: { entries: 5, characters: 2_000 } });
  for (let round = 0; round < 2; round++) {
    expect(await subjects.person(1, 'nobody')).toBeNull();
    expect((await subjects.person(1, 'small'))?.properties).toEqual({ n: 1 });
    expect(await subjects.group(1, 0, 'k'.repeat(401))).toBeNull();
  }
  expect(messages).toBe(2);
  for (let round = 0; round < 2; round++) {
    expect((await subjects.person(1, 'large'))?.properties).toEqual({ text });
  }
  expect(messages).toBe(4);
  const ids = Array.from({ length: 40 }, (_, n) => `unknown-${n}`);
  const found = await Promise.all(ids.map(async (id) => await subjects.person(1, id)));
  expect(found.every((one) => one === null)).toBe(true);
  expect(messages).toBe(5);
  await subjects.person(1, 'unknown-0');
  expect(messages).toBe(6);
});
