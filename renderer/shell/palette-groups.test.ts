import { CircleDot } from '@lucide/vue';
import { describe, expect, test } from 'vitest';
import type { Command } from './command.ts';
import { findCommands } from './find-commands.ts';
import { matchText } from './match-text.ts';
import { ALL, COMMANDS, groupsOf, kindsOf, type ObjectGroup } from './palette-groups.ts';

const commandOf = (group: string, label: string, also?: string[]): Command => ({
  id: label,
  group,
  label,
  also,
  icon: CircleDot,
  run() {},
});

const objectsOf = (name: string, labels: string[], text: string, count: number | null = labels.length) =>
  ({
    noun: name,
    name,
    count,
    all: { name },
    found: labels.map((label) => ({
      command: commandOf(name, label),
      match: matchText(text, label) ?? { score: 0, ranges: [] },
    })),
  }) satisfies ObjectGroup;

const commands = (text: string) =>
  findCommands(
    [commandOf('Go to', 'Payments'), commandOf('Settings', 'Currency', ['pay']), commandOf('Go to', 'Live')],
    text,
  );

const answer = (text: string, objects: ObjectGroup[], recent: string[] = []) => ({
  text,
  commands: commands(text),
  objects,
  recent,
});
const shown = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ name, found }) => [name, ...found.map(({ command }) => command.label)]);

describe('the order of groups', () => {
  test('commands of that name, then objects, then commands by a synonym', () => {
    const found = answer('paym', [objectsOf('Events', ['payment failed'], 'paym')]);
    const bySynonym = answer('money', [objectsOf('Events', ['money sent'], 'money')]);
    expect(shown(groupsOf(found, ALL))).toEqual([
      ['Go to', 'Payments'],
      ['Events', 'payment failed'],
    ]);
    const commandsOfMoney = findCommands([commandOf('Settings', 'Currency', ['money'])], 'mon');
    expect(shown(groupsOf({ ...bySynonym, text: 'mon', commands: commandsOfMoney }, ALL))).toEqual([
      ['Events', 'money sent'],
      ['Settings', 'Currency'],
    ]);
  });

  test('the group of an object with exactly this name is before other objects', () => {
    const found = answer('signup', [
      objectsOf('Events', ['signup started'], 'signup'),
      objectsOf('Flags', ['signup'], 'signup'),
    ]);
    expect(shown(groupsOf(found, ALL)).map(([name]) => name)).toEqual(['Flags', 'Events']);
  });

  test('what was opened before is first, and not listed twice; what is not found any more is left out', () => {
    const found = answer('pay', [objectsOf('Events', ['payout', 'payment'], 'pay')], ['gone', 'payment']);
    expect(shown(groupsOf(found, ALL)).slice(0, 1)).toEqual([['Recent', 'payment']]);
    expect(
      shown(groupsOf(found, ALL))
        .flat()
        .filter((label) => label === 'payment'),
    ).toHaveLength(1);
    expect(shown(groupsOf(found, ALL)).flat()).not.toContain('gone');
  });
});

describe('many of one kind', () => {
  const many = Array.from({ length: 12 }, (_, n) => `pay ${n}`);

  test('four are shown among others, with a line that leads to all', () => {
    const [events] = groupsOf(
      { ...answer('pay', [objectsOf('Events', many, 'pay', 40)]), commands: [] },
      ALL,
    );
    expect(events?.found).toHaveLength(4);
    expect(events?.more).toEqual({ label: 'Show all 40 events', to: { name: 'Events' } });
  });

  test('twelve are shown alone; without a count the line says all', () => {
    const [events] = groupsOf(answer('pay', [objectsOf('Events', many, 'pay', null)]), 'Events');
    expect(events?.found).toHaveLength(12);
    expect(events?.more?.label).toBe('Show all events');
  });

  test('no line leads to all when all are shown', () => {
    const [events] = groupsOf(
      { ...answer('pay', [objectsOf('Events', ['pay 1'], 'pay')]), commands: [] },
      ALL,
    );
    expect(events?.more).toBeNull();
  });
});

test('kinds have counts: of all, of each kind of objects and of commands; one that is not counted has a plus', () => {
  const events = objectsOf('Events', ['pay 1'], 'pay', 7);
  const persons = objectsOf('Persons', ['pay a', 'pay b'], 'pay', null);
  expect(kindsOf(answer('paym', [events, persons])).map(({ name, count }) => [name, count])).toEqual([
    ['All', '10+'],
    ['Events', '7'],
    ['Persons', '2+'],
    ['Commands', '1'],
  ]);
  expect(shown(groupsOf(answer('paym', [events, persons]), COMMANDS))).toEqual([['Go to', 'Payments']]);
});
