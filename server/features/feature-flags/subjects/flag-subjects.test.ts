import { describe, expect, test } from 'vitest';
import type { ServiceChannel } from '../../../db/client.ts';
import { countMessages } from '../../../../test/support/counted-channel.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestApp } from '../../../../test/support/test-app.ts';
import type { FromSubjects, ToSubjects } from './flag-subjects-messages.ts';
import { createFlagSubjects } from './flag-subjects.service.ts';

test('persons are evicted beyond the limits and loaded again; a single one may exceed them', async () => {
  const app = await openTestApp();
  const text = 'x'.repeat(10_000);
  await sendEvents(app, [
    { distinct_id: 'small', properties: { $set: { n: 1 } } },
    { distinct_id: 'large', properties: { $set: { text } } },
  ]);
  const { channel, sent } = countMessages(app.store.service('flag-subjects'));
  const subjects = createFlagSubjects(channel, { persons: { entries: 5, characters: 2_000 } });
  for (let round = 0; round < 2; round++) {
    expect(await subjects.person(1, 'nobody')).toBeNull();
    expect((await subjects.person(1, 'small'))?.properties).toEqual({ n: 1 });
    expect(await subjects.group(1, 0, 'k'.repeat(401))).toBeNull();
  }
  expect(sent()).toBe(2);
  for (let round = 0; round < 2; round++) {
    expect((await subjects.person(1, 'large'))?.properties).toEqual({ text });
  }
  expect(sent()).toBe(4);
  const ids = Array.from({ length: 40 }, (_, n) => `unknown-${n}`);
  const found = await Promise.all(ids.map(async (id) => await subjects.person(1, id)));
  expect(found.every((one) => one === null)).toBe(true);
  expect(sent()).toBe(5);
  await subjects.person(1, 'unknown-0');
  expect(sent()).toBe(6);
});

test('7.10 a prefetch from before a change of static cohorts is discarded, whenever it arrives', () => {
  let tell: (message: FromSubjects) => void = () => {};
  const channel = { onPost: (listener: typeof tell) => (tell = listener), post: () => {} };
  const subjects = createFlagSubjects(channel as unknown as ServiceChannel);
  const ahead = (generation: number) =>
    tell({
      kind: 'ahead',
      generation,
      keys: ['1 ana'],
      personIds: [7],
      persons: ['[7,"u",{"n":1},7,[3],[]]'],
    });
  ahead(0);
  expect(subjects.person(1, 'ana')).toMatchObject({ personId: 7, properties: { n: 1 } });
  subjects.forgetCohorts();
  ahead(0);
  expect(subjects.person(1, 'ana')).toBeInstanceOf(Promise);
  ahead(1);
  expect(subjects.person(1, 'ana')).toMatchObject({ memberOf: new Set([3]) });
});

/** A store in which every person exists, each with this many characters of properties; it counts the lookups. */
function fullStore({ ofPerson, ofGroup }: { ofPerson: number; ofGroup: number }) {
  let tell: (message: FromSubjects) => void = () => {};
  let personId = 0;
  const asked = { persons: 0, groups: 0 };
  const properties = JSON.stringify({ text: 'x'.repeat(ofGroup - '{"text":""}'.length) });
  const channel = {
    onPost: (listener: (message: never) => void) => (tell = listener as typeof tell),
    post(message: ToSubjects) {
      if (message.kind !== 'asked') return;
      asked.persons += message.persons.length;
      asked.groups += message.groups.length;
      const persons = message.persons.map(() => [++personId, null, {}, ofPerson, [], []]);
      const groups = message.groups.map(() => properties);
      const { id } = message;
      setImmediate(() =>
        tell({ kind: 'found', id, persons: JSON.stringify(persons), groups, named: [], addresses: [] }),
      );
    },
  };
  return { asked, channel: channel as unknown as ServiceChannel };
}

describe('7.10 memory fits', () => {
  const PROMISED = Array.from({ length: 100_000 }, (_, n) => n);

  test('100,000 persons with a thousand characters of properties each', async () => {
    const { asked, channel } = fullStore({ ofPerson: 1000, ofGroup: 20 });
    const subjects = createFlagSubjects(channel);
    const idOf = (n: number) => `0190a3c1-7d41-7cc0-b1d2-${String(n).padStart(12, '0')}`;
    for (let round = 0; round < 2; round++) {
      await Promise.all(PROMISED.map(async (n) => await subjects.person(1, idOf(n))));
    }
    expect(asked.persons).toBe(100_000);
  });

  test('100,000 groups with three hundred characters each', async () => {
    const { asked, channel } = fullStore({ ofPerson: 0, ofGroup: 300 });
    const subjects = createFlagSubjects(channel);
    const keyOf = (n: number) => `0190a3c1-7d41-7cc0-b1d2-${String(n).padStart(12, '0')}`;
    for (let round = 0; round < 2; round++) {
      await Promise.all(PROMISED.map(async (n) => await subjects.group(1, 0, keyOf(n))));
    }
    expect(asked.groups).toBe(100_000);
  });
});
