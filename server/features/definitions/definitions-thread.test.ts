import { describe, expect, test } from 'vitest';
import { MINUTE, NOON, row, useDefinitionStore } from '../../../test/support/definition-store.ts';
import { LIMITS } from './definition-tracker.ts';

const { all, append, countEvents, events, open, pairs, properties, restart, warnings } = useDefinitionStore();

describe('the definitions of an event are listed when it is acknowledged', () => {
  test.each([true, false])('its name and properties (properties read beforehand: %s)', async (isListed) => {
    await open();
    await append(row('signup', { plan: 'free', seats: 5, gone: null, $set: { a: 1 } }, { isListed }));
    expect(await events()).toEqual([['signup']]);
    expect(await properties()).toEqual([
      ['event', 'gone', null],
      ['event', 'plan', 'String'],
      ['event', 'seats', 'Numeric'],
    ]);
    expect(await pairs()).toEqual([
      ['signup', 'gone'],
      ['signup', 'plan'],
      ['signup', 'seats'],
    ]);
  });

  test('properties that the server has added', async () => {
    await open();
    await append(row('a', {}, { addedProperties: [{ name: '$ip', value: '192.0.2.1' }] }));
    await append(row('a', {}, { addedProperties: [{ name: '$group_0', value: 'acme' }] }));
    expect((await pairs()).map(([, name]) => name)).toEqual(['$group_0', '$ip']);
  });

  test('properties of persons and of groups, by the index of their type', async () => {
    await open();
    const identity = {
      set: { email: 'a@b.c' },
      setOnce: { logins: 1 },
      unset: ['old'],
      merge: null,
      groups: null,
    };
    const group = { type: 'company', key: 'acme', set: { since: '2026-11-20' } };
    await append(
      row('a', {}, { identity: { ...identity, groupIdentify: null } }),
      row(
        'b',
        {},
        { identity: { ...identity, set: null, setOnce: null, groupIdentify: { ...group, typeIndex: 3 } } },
      ),
      row(
        'c',
        {},
        { identity: { ...identity, groupIdentify: { ...group, set: { refused: 1 }, typeIndex: null } } },
      ),
    );
    expect(await properties()).toEqual([
      ['group3', 'since', 'DateTime'],
      ['person', 'email', 'String'],
      ['person', 'logins', 'Numeric'],
    ]);
    expect(await pairs()).toEqual([]);
  });

  test('for each project separately', async () => {
    await open();
    await append(row('a', { x: 1 }), row('a', { x: 'text' }, { projectId: 2 }));
    expect(await all('SELECT project_id, property_type FROM property_definitions ORDER BY 1')).toEqual([
      [1, 'Numeric'],
      [2, 'String'],
    ]);
  });

  test('once, for any number of concurrent events', async () => {
    await open();
    await Promise.all(Array.from({ length: 50 }, (_, n) => append(row(`e${n % 3}`, { [`p${n % 5}`]: n }))));
    expect(await events()).toHaveLength(3);
    expect(await properties()).toHaveLength(5);
    expect(await pairs()).toHaveLength(15);
  });

  test('and again after a restart', async () => {
    await open();
    await append(row('a', { x: 1 }));
    await restart();
    await append(row('a', { x: 'text', y: 1 }), row('b', { x: 1 }));
    expect(await events()).toEqual([['a'], ['b']]);
    expect(await properties()).toEqual([
      ['event', 'x', 'String'],
      ['event', 'y', 'Numeric'],
    ]);
    expect(await pairs()).toHaveLength(3);
  });
});

test('a name with characters that the database cannot store is listed, and its event is stored', async () => {
  await open();
  const odd = { 'a\0b': 1, '\ud800': 2, '"\\': 3, '🦔': 4, __proto__x: 5 };
  await append(row('e"\\\n', odd, { properties: '{}' }));
  const listed = (await properties()).map(([, name]) => name as string);
  expect(listed.sort()).toEqual(['"\\', '__proto__x', 'a�b', '�', '🦔'].sort());
});

describe('when a commit fails', () => {
  test('none of its definitions are listed, and they are new when they are sent again', async () => {
    await open();
    await append(row('a', { x: 1 }));
    expect(await append(row('fails', { y: 1 }), row('a', { x: 'text' }))).toMatchObject({
      outcome: 'unavailable',
    });
    expect(await events()).toEqual([['a']]);
    expect(await properties()).toEqual([['event', 'x', 'Numeric']]);
    await append(row('a', { x: 'text', y: 1 }));
    expect(await properties()).toEqual([
      ['event', 'x', 'String'],
      ['event', 'y', 'Numeric'],
    ]);
  });

  test('those beside it in the same commit are listed', async () => {
    await open();
    const [bad, good] = await Promise.all([append(row('fails', { y: 1 })), append(row('b', { z: 1 }))]);
    expect([bad.outcome, good.outcome]).toEqual(['unavailable', 'committed']);
    expect(await events()).toEqual([['b']]);
    expect(await pairs()).toEqual([['b', 'z']]);
  });
});

describe('first and last seen', () => {
  const seen = () =>
    all(`SELECT name, epoch_us(first_seen_at)::DOUBLE, epoch_us(last_seen_at)::DOUBLE FROM event_definitions
      UNION ALL SELECT name, epoch_us(first_seen_at)::DOUBLE, epoch_us(last_seen_at)::DOUBLE FROM property_definitions
      ORDER BY 1`);

  test('the first time is kept; the last is written once per minute', async () => {
    await open();
    await append(row('a', { x: 1 }));
    await append(row('a', { x: 1 }, { receivedAt: NOON + MINUTE - 1 }));
    expect(await seen()).toEqual([
      ['a', NOON, NOON],
      ['x', NOON, NOON],
    ]);
    await append(row('a', { x: 1 }, { receivedAt: NOON + MINUTE }));
    await append(row('a', {}, { receivedAt: NOON + 5 * MINUTE }));
    expect(await seen()).toEqual([
      ['a', NOON, NOON + 5 * MINUTE],
      ['x', NOON, NOON + MINUTE],
    ]);
  });

  test('an event received before the last one does not move it back', async () => {
    await open();
    await append(row('a', { x: 1 }, { receivedAt: NOON + 5 * MINUTE }));
    await append(row('a', { x: 'text' }));
    expect((await seen()).map(([, , last]) => last)).toEqual([NOON + 5 * MINUTE, NOON + 5 * MINUTE]);
  });
});

describe('bounds', () => {
  test('names beyond the limit are stored with their events and not listed, with one line in the log', async () => {
    await open();
    const many = Array.from({ length: LIMITS.propertyNames + 300 }, (_, n): [string, unknown] => [
      `p${n}`,
      1,
    ]);
    const rows = Array.from({ length: 103 }, (_, n) =>
      row('a', Object.fromEntries(many.slice(n * 100, n * 100 + 100))),
    );
    await append(...rows);
    await append(row('b', { another: 1, p0: 1 }));
    expect(await properties()).toHaveLength(LIMITS.propertyNames);
    expect(await pairs()).toContainEqual(['b', 'p0']);
    expect(warnings.filter((message) => message.includes('property names'))).toHaveLength(1);
    expect(await countEvents()).toBe(104);
  });

  test('event names beyond the limit are stored and not listed either', async () => {
    await open();
    await append(...Array.from({ length: LIMITS.eventNames + 5 }, (_, n) => row(`e${n}`, { x: 1 })));
    expect(await events()).toHaveLength(LIMITS.eventNames);
    expect(warnings).toHaveLength(1);
    expect(await countEvents()).toBe(LIMITS.eventNames + 5);
  });
});
