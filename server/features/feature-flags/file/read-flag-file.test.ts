import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../../errors.ts';
import { orderItems } from './order-items.ts';
import { planGroupTypes } from './flag-file.service.ts';
import { readFlagFile } from './read-flag-file.ts';
import { rewriteFilters, type References } from './rewrite-filters.ts';
import { saysTheSame } from './same-definition.ts';

const GROUPS = [{ properties: [], rollout_percentage: 50 }];

describe('accepted flag files', () => {
  test("Burrow's own file, with cohorts and the names of its group types", () => {
    const file = readFlagFile({
      version: 1,
      group_types: { '1': 'company' },
      flags: [{ id: 3, key: 'a', name: 'A', filters: { groups: GROUPS } }],
      cohorts: [{ id: 5, name: 'Beta', is_static: true, filters: null }],
    });
    expect(file).toMatchObject({
      flags: [{ id: 3, key: 'a', filters: { groups: GROUPS }, said: { name: 'A' } }],
      cohorts: [{ id: 5, name: 'Beta', description: '', isStatic: true, filters: null }],
      hasAllCohorts: false,
      notes: [],
    });
    expect([...file.groupTypes!]).toEqual([[1, 'company']]);
  });

  test("PostHog's list of flags, without deleted ones; a page of a longer list has a note", () => {
    const results = [
      { id: 1, key: 'a', deleted: false, filters: { groups: GROUPS } },
      { id: 2, key: 'b', deleted: true, filters: { groups: GROUPS } },
    ];
    const whole = readFlagFile({ count: 2, next: null, previous: null, results });
    expect([whole.flags.map(({ key }) => key), whole.groupTypes, whole.notes]).toEqual([['a'], null, []]);
    expect(readFlagFile({ next: 'http://x/?offset=100', results }).notes).toEqual([
      'The list has more pages (`next`) that are not in this file.',
    ]);
    expect(readFlagFile(results).flags).toEqual(whole.flags);
  });

  test("PostHog's local evaluation response: cohorts are named by the conditions, or by their id", () => {
    const property = { key: 'id', type: 'cohort', value: 5, cohort_name: 'Beta' };
    const tree = { type: 'OR', values: [] };
    const file = readFlagFile({
      flags: [{ id: 1, key: 'a', filters: { groups: [{ properties: [property] }] } }],
      group_type_mapping: { '0': 'company' },
      cohorts: { '5': tree, '6': tree },
    });
    expect(file.cohorts.map(({ id, name, filters }) => [id, name, filters])).toEqual([
      [5, 'Beta', { properties: tree }],
      [6, 'Cohort 6', { properties: tree }],
    ]);
    expect(file.hasAllCohorts).toBe(true);
  });

  test('the oldest flags: one condition without a list', () => {
    const [flag] = readFlagFile([{ key: 'a', filters: {}, rollout_percentage: 20 }]).flags;
    expect(flag!.filters).toEqual({ groups: [{ properties: [], rollout_percentage: 20 }] });
  });
});

test('an export with any number of flags and cohorts is read back', () => {
  const many = Array.from({ length: 20_000 }, (_, n) => n);
  const file = readFlagFile({
    version: 1,
    group_types: {},
    flags: many.map((n) => ({ id: n + 1, key: `flag-${n}`, filters: { groups: [{ properties: [] }] } })),
    cohorts: many.map((n) => ({ id: n + 1, name: `Cohort ${n}`, is_static: true, filters: null })),
  });
  expect([file.flags.length, file.cohorts.length]).toEqual([20_000, 20_000]);
});

describe('an invalid file is refused with the position of the error', () => {
  test.each([
    [null, 'it is not a JSON object'],
    ['text', 'it is not a JSON object'],
    [{}, 'it has neither flags nor results'],
    [{ flags: {} }, 'it has neither flags nor results'],
    [{ version: 2, flags: [] }, 'its version is 2; only version 1 is supported'],
    [{ flags: [], cohorts: [] }, 'its version is missing; only version 1 is supported'],
    [{ version: 1, flags: [7] }, 'flags[0]: '],
    [{ version: 1, flags: [{ key: 'a' }, {}] }, 'flags[1].key: '],
    [{ version: 1, flags: [], cohorts: {} }, 'its cohorts are not a list'],
    [{ version: 1, flags: [], cohorts: [{ id: 'x', name: 'A' }] }, 'cohorts[0].id: '],
    [{ version: 1, flags: [], group_types: { '7': 'x' } }, 'its group_types must map group types'],
    [{ flags: [], cohorts: { x: {} } }, 'a cohort id is not a number: x'],
  ])('%j', (value, sentence) => {
    expect(() => readFlagFile(value)).toThrow(sentence);
  });

  test('any JSON is read or refused without a crash', () => {
    const key = fc.constantFrom('flags', 'results', 'cohorts', 'version', 'id', 'key', 'filters', 'groups', '__proto__', 'next', 'group_types', 'group_type_mapping', 'constructor', 'deleted'); // prettier-ignore
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, true, 0, 1, -1, 1e300, '', 'a', '\ud800', '5'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (any) => {
        try {
          readFlagFile(any);
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('ids of a file become those of the project', () => {
  const REFERENCES: References = {
    flag: (name) => (name === '3' || name === 'base' ? 30 : 0),
    cohort: (id) => Number(id) * 10,
    groupTypeIndex: (index) => Number(index) + 1,
  };

  test('flags, cohorts and group types are translated; fields of responses are removed', () => {
    const filters = {
      aggregation_group_type_index: null,
      groups: [
        {
          properties: [
            {
              key: '3',
              type: 'flag',
              operator: 'flag_evaluates_to',
              value: true,
              dependency_chain: ['base'],
            },
            { key: 'base', type: 'flag', operator: 'flag_evaluates_to', value: true },
            { key: 'id', type: 'cohort', value: 5, cohort_name: 'Beta' },
            { key: 'plan', value: 'pro' },
          ],
        },
        { aggregation_group_type_index: 0, properties: [{ key: 'size', value: '5', group_type_index: 0 }] },
      ],
      payloads: { true: '{"group_type_index":0}' },
    };
    expect(rewriteFilters(filters, REFERENCES)).toEqual({
      aggregation_group_type_index: null,
      groups: [
        {
          properties: [
            { key: '30', type: 'flag', operator: 'flag_evaluates_to', value: true },
            { key: '30', type: 'flag', operator: 'flag_evaluates_to', value: true },
            { key: 'id', type: 'cohort', value: 50 },
            { key: 'plan', type: 'person', value: 'pro' },
          ],
        },
        {
          aggregation_group_type_index: 1,
          properties: [{ key: 'size', type: 'group', value: '5', group_type_index: 1 }],
        },
      ],
      payloads: { true: '{"group_type_index":0}' },
    });
  });

  test('group types that the project lacks get free indexes, up to five', () => {
    const about = (...indexes: number[]) =>
      readFlagFile({
        flags: indexes.map((index) => ({
          key: `f${index}`,
          filters: { aggregation_group_type_index: index, groups: [] },
        })),
        group_type_mapping: { '0': 'company', '1': 'team', '2': 'unused' },
      });
    const plan = planGroupTypes(about(0, 1), { '0': 'team', '2': 'shop' });
    expect([[...plan.indexes], plan.missing]).toEqual([
      [
        ['team', 0],
        ['shop', 2],
        ['company', 1],
      ],
      ['company'],
    ]);
    const full = planGroupTypes(about(0), { '0': 'a', '1': 'b', '2': 'c', '3': 'd', '4': 'e' });
    expect(full.missing).toEqual([]);
    expect(full.indexes.has('company')).toBe(false);
  });
});

test('items are sorted after their dependencies, also in long chains, and cycles end', () => {
  const chain = Array.from({ length: 50_000 }, (_, n) => ({ name: `${n}`, needs: [`${n + 1}`] }));
  const ordered = orderItems(
    chain,
    ({ name }) => [name],
    ({ needs }) => needs,
  );
  expect(ordered.map(({ name }) => name)).toEqual(chain.map(({ name }) => name).toReversed());
  const circle = ['a', 'b', 'a2'].map((name) => ({ name, needs: [name === 'a' ? 'b' : 'a', name] }));
  const names = orderItems(
    circle,
    ({ name }) => [name],
    ({ needs }) => needs,
  ).map(({ name }) => name);
  expect(names).toEqual(['b', 'a', 'a2']);
});

test('definitions are equal whether fields are absent, null or empty', () => {
  expect(saysTheSame({ a: null, b: [], c: { d: {} }, e: 0 }, { e: 0 })).toBe(true);
  expect(saysTheSame({ a: [{ b: 1, c: null }] }, { a: [{ b: 1 }] })).toBe(true);
  expect(saysTheSame({ a: false }, {})).toBe(false);
  expect(saysTheSame({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
});
