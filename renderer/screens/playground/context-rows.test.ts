import { expect, test } from 'vitest';
import { contextRows } from './context-rows.ts';

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

test('properties used by flags and changed ones are first, also when no value is stored', () => {
  const stored = { $browser: 'Firefox', plan: 'solo', seats: 4 };
  const { first } = contextRows(stored, { country: 'Germany', seats: 5 }, new Set(['beta', 'plan']));
  expect(first).toEqual([
    { name: 'beta', value: undefined, isChanged: false, isAsked: true },
    { name: 'plan', value: 'solo', isChanged: false, isAsked: true },
    { name: 'country', value: 'Germany', isChanged: true, isAsked: false },
    { name: 'seats', value: 5, isChanged: true, isAsked: false },
  ]);
});

test('a few more of the person’s own are listed; those of SDKs are collapsed, last', () => {
  const own = Object.fromEntries(Array.from({ length: 8 }, (_, number) => [`p${number}`, number]));
  const { first, more } = contextRows({ $os: 'Linux', ...own }, {}, new Set(['asked']));
  expect(names(first)).toEqual(['asked', 'p0', 'p1', 'p2', 'p3', 'p4']);
  expect(names(more)).toEqual(['p5', 'p6', 'p7', '$os']);
});

test('names of Object.prototype are properties only when they have a value', () => {
  const { first } = contextRows({}, {}, new Set(['constructor']));
  expect(first).toEqual([{ name: 'constructor', value: undefined, isChanged: false, isAsked: true }]);
});
