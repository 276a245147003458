import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asked, flagContext, flagDefinition } from '../../../test/support/flag-subject.ts';
import {
  createFlagSet,
  evaluateFlag,
  flagTraceSchema,
  PROPERTY_OPERATORS,
  type CohortDefinition,
  type FlagDefinition,
} from '../index.ts';

const json = fc.jsonValue({ maxDepth: 2 });
const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', '', 'p', '\ud800'), fc.string());

/** What could stand in a file or an old row: every key of a definition, with anything in it. */
const property = fc.record(
  {
    key: fc.oneof(name, fc.nat(3), json),
    value: json,
    operator: fc.oneof(fc.constantFrom(...PROPERTY_OPERATORS, 'in', 'not_in', 'flag_evaluates_to'), json),
    type: fc.oneof(fc.constantFrom('person', 'group', 'cohort', 'flag', 'behavioral'), json),
    negation: json,
    group_type_index: json,
  },
  { requiredKeys: [] },
);
const list = (one: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 5, arbitrary: fc.array(one, { maxLength: 3 }) }, json);
const condition = fc.record(
  {
    properties: list(fc.oneof({ weight: 5, arbitrary: property }, json)),
    rollout_percentage: json,
    variant: json,
    aggregation_group_type_index: json,
  },
  { requiredKeys: [] },
);
const filters = fc.record(
  {
    groups: list(fc.oneof({ weight: 5, arbitrary: condition }, json)),
    multivariate: fc.oneof(
      fc.record({ variants: list(fc.record({ key: json, rollout_percentage: json })) }),
      json,
    ),
    payloads: json,
    holdout: fc.oneof(fc.record({ id: json, exclusion_percentage: json }), json),
    holdout_groups: list(condition),
    super_groups: list(condition),
    feature_enrollment: json,
    early_exit: json,
    aggregation_group_type_index: json,
  },
  { requiredKeys: [] },
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.record({ type: json, values: list(fc.oneof(property, tie('tree'))) }),
}));

describe('a set of flags', () => {
  test('P-10 is created from any definitions, and each of its flags can be evaluated for any request', () => {
    fc.assert(
      fc.property(
        fc.array(filters, { minLength: 1, maxLength: 4 }),
        fc.array(tree, { maxLength: 3 }),
        fc.dictionary(name, json),
        (all, trees, person) => {
          const flags = all.map((one, n) =>
            flagDefinition({ id: n, key: `f${n}`, filters: one as FlagDefinition['filters'] }),
          );
          const cohorts = trees.map((one, n) => ({
            id: n,
            name: '',
            isStatic: false,
            properties: one as CohortDefinition['properties'],
          }));
          const set = createFlagSet(flags, cohorts);
          expect(set.flags.length + set.errors.size).toBe(flags.length);
          const context = flagContext(set, { person: asked(person), groupTypes: ['company'], trace: true });
          for (const flag of set.flags) {
            const { trace, value } = evaluateFlag(flag, context);
            expect(flagTraceSchema.safeParse(trace).error).toBeUndefined();
            expect(['boolean', 'string']).toContain(typeof value);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('keeps the order of its flags, and finds them by key', () => {
    const keys = ['b', '__proto__', 'a'];
    const set = createFlagSet(
      keys.map((key, id) => flagDefinition({ id, key })),
      [],
    );
    expect(set.flags.map(({ definition }) => definition.key)).toEqual(keys);
    expect(set.find('__proto__')?.definition.id).toBe(1);
    expect(set.find('toString')).toBeNull();
    expect(set.dependencyChain('gone')).toBeNull();
  });

  test('F-16 flags that each depend on all before them are computed once each', () => {
    const flags = Array.from({ length: 300 }, (_, n) =>
      flagDefinition({
        id: n,
        key: `f${n}`,
        filters: {
          groups: [
            {
              properties: Array.from({ length: n }, (_, id) => ({
                key: `f${id}`,
                value: true,
                type: 'flag',
              })),
            },
          ],
        },
      }),
    );
    const set = createFlagSet(flags, []);
    const context = flagContext(set);
    expect(set.flags.every((flag) => evaluateFlag(flag, context).value === true)).toBe(true);
    expect(set.dependencyChain('f299')).toEqual(flags.map(({ key }) => key));
  });

  test('F-16 a cycle of ten thousand flags is detected', () => {
    const flags = Array.from({ length: 10_000 }, (_, n) =>
      flagDefinition({
        id: n,
        key: `f${n}`,
        filters: { groups: [{ properties: [{ key: `f${(n + 1) % 10_000}`, value: true, type: 'flag' }] }] },
      }),
    );
    const set = createFlagSet(flags, []);
    expect(set.flags).toEqual([]);
    expect(set.errors.get('f0')).toBe('It depends on flags with a circular dependency.');
  });
});
