import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import type { CohortDefinition, FlagProperty } from '../../conditions/index.ts';
import type { FlagNode } from './feature-flags.reads.ts';
import { checkCohorts, checkDependencies } from './flag-dependencies.ts';

function refusalOf(check: () => void): { code: string; detail: string } | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.attr).toBe('filters');
    return { code: error.body.code, detail: error.message };
  }
}

/** Flags by their ids, each with those that it depends on. */
function nodesOf(graph: Readonly<Record<number, readonly number[]>>): Map<number, FlagNode> {
  return new Map(
    Object.entries(graph).map(([id, dependsOn]) => [
      Number(id),
      { id: Number(id), key: `f${id}`, active: true, dependsOn },
    ]),
  );
}

describe('M9.1/filters dependencies', () => {
  const check = (id: number | null, dependsOn: readonly number[], nodes: Map<number, FlagNode>) =>
    refusalOf(() => checkDependencies({ id, key: 'mine', dependsOn }, nodes));

  test('on live, active flags are accepted, also several paths to the same one', () => {
    expect(check(9, [1, 2], nodesOf({ 1: [3], 2: [3], 3: [4], 4: [] }))).toBeNull();
    expect(check(null, [1], nodesOf({ 1: [] }))).toBeNull();
  });

  test('on itself, on an unknown and on a disabled flag are refused', () => {
    expect(check(9, [9], nodesOf({ 9: [] }))?.detail).toContain('itself');
    expect(check(9, [1], nodesOf({}))?.detail).toContain('dependency 1 does not exist');
    const nodes = nodesOf({ 1: [] });
    nodes.set(1, { ...nodes.get(1)!, active: false });
    expect(check(9, [1], nodes)?.detail).toContain('disabled');
  });

  test('in a cycle are refused, and the cycle is named', () => {
    const nodes = nodesOf({ 1: [2], 2: [3], 3: [9], 4: [] });
    expect(check(9, [4, 1], nodes)?.detail).toContain('mine → f1 → f2 → f3 → mine');
  });

  test('are refused exactly when one leads back to the flag', () => {
    const graph = fc.dictionary(
      fc.integer({ min: 1, max: 12 }).map(String),
      fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
    );
    fc.assert(
      fc.property(
        graph,
        fc.uniqueArray(fc.integer({ min: 2, max: 12 }), { maxLength: 3 }),
        (some, wanted) => {
          const nodes = nodesOf(some);
          const dependsOn = wanted.filter((id) => nodes.has(id));
          const reaches = new Set(dependsOn);
          for (const id of reaches) for (const next of nodes.get(id)?.dependsOn ?? []) reaches.add(next);
          expect(check(1, dependsOn, nodes) !== null).toBe(reaches.has(1));
        },
      ),
    );
  });

  test('of a chain of 100,000 flags are followed', () => {
    const nodes = new Map(
      Array.from({ length: 100_000 }, (_, n): [number, FlagNode] => [
        n + 1,
        { id: n + 1, key: `f${n + 1}`, active: true, dependsOn: n === 99_999 ? [0] : [n + 2] },
      ]),
    );
    expect(check(0, [1], nodes)?.detail).toContain('Circular flag dependency: mine → f1 → f2');
  });
});

describe('M9.1/filters cohorts', () => {
  const leaf = (type: string, value: unknown): FlagProperty => ({ key: 'id', type, value });
  const cohort = (id: number, ...values: FlagProperty[]): CohortDefinition => ({
    id,
    name: `C${id}`,
    isStatic: false,
    properties: { type: 'AND', values: [{ type: 'OR', values }] },
  });
  const on = (...ids: number[]) => ({
    groups: [{ properties: ids.map((value) => leaf('cohort', value)) }],
  });
  const check = (ids: number[], cohorts: CohortDefinition[]) =>
    refusalOf(() => checkCohorts(on(...ids), cohorts))?.code ?? null;

  test('must exist, and those within them too', () => {
    expect(check([1], [cohort(1, leaf('person', 'x'))])).toBeNull();
    expect(check([2], [cohort(1)])).toBe('cohort_does_not_exist');
    expect(check([1], [cohort(1, leaf('cohort', 2))])).toBe('cohort_does_not_exist');
  });

  test('must not be behavioral, at any depth', () => {
    const behavioral = leaf('behavioral', 'performed_event');
    expect(check([1], [cohort(1, behavioral)])).toBe('behavioral_cohort_found');
    const nested = [cohort(1, leaf('cohort', 2)), cohort(2, leaf('cohort', 3)), cohort(3, behavioral)];
    expect(check([1], nested)).toBe('behavioral_cohort_found');
  });

  test('static ones, and circular cohorts, are accepted', () => {
    expect(check([1], [{ id: 1, name: 'S', isStatic: true, properties: null }])).toBeNull();
    expect(check([1], [cohort(1, leaf('cohort', 2)), cohort(2, leaf('cohort', 1))])).toBeNull();
  });
});
