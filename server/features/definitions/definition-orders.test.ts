import { describe, expect, test } from 'vitest';
import { MINUTE, NOON, row, useDefinitionStore } from '../../../test/support/definition-store.ts';
import type { DefinitionEdit } from './definition-orders.ts';

const { all, append, events, open, order, pairs, properties } = useDefinitionStore();

describe('orders', () => {
  async function idOf(table: string, name: string): Promise<string> {
    return (await all(`SELECT id::VARCHAR FROM ${table} WHERE name = '${name}'`))[0]![0] as string;
  }

  test('a deleted event name is removed with its properties, and is new when it is sent again', async () => {
    await open();
    await append(row('a', { x: 1 }), row('b', { x: 1 }));
    const definition = { kind: 'event', projectId: 1, id: await idOf('event_definitions', 'a') } as const;
    expect(await order({ kind: 'definitions.forget', definition })).toBe(true);
    expect(await order({ kind: 'definitions.forget', definition })).toBe(false);
    expect(await events()).toEqual([['b']]);
    expect(await pairs()).toEqual([['b', 'x']]);
    await append(row('a', { x: 1 }));
    expect(await events()).toEqual([['a'], ['b']]);
    expect(await pairs()).toHaveLength(2);
    expect(await idOf('event_definitions', 'a')).not.toBe(definition.id);
  });

  test('a deleted property is removed, and is new when an event has it again, with the type of that event', async () => {
    await open();
    await append(row('a', { x: 1 }));
    await append(row('a', { x: 'text' }));
    const definition = {
      kind: 'property',
      projectId: 1,
      id: await idOf('property_definitions', 'x'),
    } as const;
    expect(await order({ kind: 'definitions.forget', definition })).toBe(true);
    expect([await properties(), await pairs()]).toEqual([[], []]);
    await append(row('a', { x: 1 }));
    expect(await properties()).toEqual([['event', 'x', 'Numeric']]);
    expect(await pairs()).toEqual([['a', 'x']]);
  });

  test('affect only the project they name', async () => {
    await open();
    await append(row('a', { x: 1 }));
    const definition = { kind: 'event', projectId: 2, id: await idOf('event_definitions', 'a') } as const;
    expect(await order({ kind: 'definitions.forget', definition })).toBe(false);
    expect(await order({ kind: 'definitions.update', definition, edit: { hidden: true } })).toBe(false);
    expect(await events()).toEqual([['a']]);
  });

  test('concurrent edits and events are both stored', async () => {
    await open();
    await append(row('a', { x: 1 }));
    const definition = { kind: 'event', projectId: 1, id: await idOf('event_definitions', 'a') } as const;
    const said = Array.from({ length: 20 }, (_, n): DefinitionEdit => ({ description: `said ${n}` }));
    const [answers, appended] = await Promise.all([
      Promise.all(said.map((edit) => order<boolean>({ kind: 'definitions.update', definition, edit }))),
      Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          append(row('a', { x: 1, [`p${n}`]: n }, { receivedAt: NOON + n * MINUTE })),
        ),
      ),
    ]);
    expect(answers.every(Boolean)).toBe(true);
    expect(appended.every(({ outcome }) => outcome === 'committed')).toBe(true);
    expect(await all('SELECT description, epoch_us(last_seen_at)::DOUBLE FROM event_definitions')).toEqual([
      ['said 19', NOON + 59 * MINUTE],
    ]);
    expect(await properties()).toHaveLength(61);
  });
});
