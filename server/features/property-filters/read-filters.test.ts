import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../test/support/store.ts';
import { ApiError } from '../../errors.ts';
import { compileFilter, patternsOf } from './compile-filter.ts';
import type { PropertyGroup } from './property-filters.contract.ts';
import { checkPatterns, readFilters } from './read-filters.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 30);
const DAY = '2026-03-04';

describe('the parameter', () => {
  const read = (value: unknown): PropertyGroup => readFilters([JSON.stringify(value)], 'event');

  test.each([
    ['nothing', []],
    ['an empty object', {}],
    ['null', null],
  ])('%s is an empty filter', (_, value) => {
    expect(read(value)).toEqual({ type: 'AND', values: [] });
  });

  test('a leaf has the default type and exact; the leaves of a list are combined by AND', () => {
    const leaf = { key: 'plan', value: 'free' };
    const full = { ...leaf, operator: 'exact', type: 'event' };
    expect(read([leaf])).toEqual({ type: 'AND', values: [full] });
    expect(read(leaf)).toEqual({ type: 'AND', values: [full] });
    expect(read({ type: 'OR', values: [{ type: 'AND', values: [leaf] }, leaf] })).toEqual({
      type: 'OR',
      values: [{ type: 'AND', values: [full] }, full],
    });
    expect(readFilters([JSON.stringify([leaf]), '', JSON.stringify(leaf)], 'event').values).toHaveLength(2);
    expect(read([{ type: 'group', key: 'plan', group_type_index: '1', value: 'x' }]).values[0]).toMatchObject(
      {
        group_type_index: 1,
      },
    );
  });

  test.each([
    ['{', null],
    ['7', 'properties'],
    ['[7]', 'properties__0'],
    ['[{"value":1}]', 'properties__0__key'],
    ['[{"key":"a"}]', 'properties__0__value'],
    ['[{"key":"a","value":{}}]', 'properties__0__value'],
    ['[{"key":"a","value":1,"operator":"like"}]', 'properties__0__operator'],
    ['[{"key":"a","value":1,"type":"planet"}]', 'properties__0__type'],
    ['[{"key":"a","value":[1,2],"operator":"gt"}]', 'properties__0__value'],
    ['[{"key":"a","value":[],"operator":"icontains"}]', 'properties__0__value'],
    ['[{"key":"a","value":[1],"operator":"between"}]', 'properties__0__value'],
    ['[{"key":"a","value":1,"type":"group"}]', 'properties__0__group_type_index'],
    ['[{"key":"a","value":1,"type":"group","group_type_index":5}]', 'properties__0__group_type_index'],
    ['{"type":"XOR","values":[]}', 'properties__type'],
    ['[{"key":"id","value":"x","type":"cohort"}]', 'properties__0__value'],
    ['[{"key":"id","value":1,"type":"cohort","operator":"gt"}]', 'properties__0__operator'],
    ['[{"key":"1 = 1","type":"hogql"}]', 'properties'],
    [
      '{"type":"OR","values":[{"type":"AND","values":[{"key":"id","value":1,"type":"action"}]}]}',
      'properties',
    ],
    [`${'{"type":"AND","values":['.repeat(20)}${']}'.repeat(20)}`, 'properties'],
    [JSON.stringify(Array.from({ length: 501 }, () => ({ key: 'a', value: 1 }))), 'properties'],
  ])('%.60s is refused', (text, attr) => {
    const refusal = refusalOf(() => readFilters([text], 'event'));
    expect([refusal.status, refusal.body.attr]).toEqual([400, attr]);
  });

  test.each([
    { operator: 'is_date_before', value: 'soon' },
    { operator: 'is_date_exact', value: '2026-02-30' },
    { operator: 'semver_eq', value: '1.*' },
    { operator: 'semver_caret', value: '1.2.x' },
    { operator: 'between', value: ['a', 'b'] },
    { operator: 'between', value: [1, DAY] },
    { type: 'element', key: 'colour', value: 'red' },
    { type: 'element', key: 'selector', value: 'a >' },
    { type: 'element', key: 'selector', value: '> a' },
    { type: 'element', key: 'selector', value: 'a:hover' },
    { type: 'element', key: 'selector', value: '' },
    { type: 'element', key: 'selector', operator: 'icontains', value: 'a' },
  ])('%j fits no operator and is refused', (leaf) => {
    const filter = read([{ key: 'a', ...leaf }]);
    const context = { rows: 'events', alias: 'e', projectId: 1, now: NOW, timezone: 'UTC' } as const;
    expect(refusalOf(() => compileFilter(filter, context)).body.attr).toBe('properties');
  });

  test('patterns that are too long together are refused, not answered with a 500', () => {
    const value = ['a', 'b', 'c'].map((letter) => letter.repeat(9_000));
    const filter = read([{ key: 'a', operator: 'regex', value }]);
    const context = { rows: 'events', alias: 'e', projectId: 1, now: NOW, timezone: 'UTC' } as const;
    expect(refusalOf(() => compileFilter(filter, context)).body.attr).toBe('properties');
  });

  test('filters on persons accept person properties only', () => {
    const context = { rows: 'persons', alias: 'persons', projectId: 1, now: NOW, timezone: 'UTC' } as const;
    expect(refusalOf(() => compileFilter(read([{ key: 'a', value: 1 }]), context)).body.attr).toBe(
      'properties',
    );
  });

  test('a regular expression that the database cannot read is refused', async () => {
    const patterns = (value: string) => patternsOf(read([{ key: 'a', operator: 'regex', value }]));
    const store = await openTestStore();
    onTestFinished(() => store.close());
    await checkPatterns(store.db, patterns('^a|b$'));
    for (const value of ['(', '(?=a)', '[', 'a{9999}']) {
      await expect(checkPatterns(store.db, patterns(value))).rejects.toMatchObject({
        status: 400,
        attr: 'properties',
      });
    }
  });
});

function refusalOf(work: () => unknown): ApiError {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
