import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type {
  RuleLeaf as CohortLeaf,
  RuleTree as CohortTree,
} from '../../../server/features/cohorts/cohorts.contract.ts';
import {
  countConditions,
  draftOfTree,
  filterOfLeaf,
  leafOfFilter,
  treeOfDraft,
  withGroup,
} from './cohort-rule.ts';

const leaf = (key: string): CohortLeaf => ({
  type: 'person',
  key,
  operator: 'exact',
  value: 'x',
  negation: false,
});

const { tree } = fc.letrec<{ tree: CohortTree; part: CohortTree | CohortLeaf }>((tie) => ({
  tree: fc.record({
    type: fc.constantFrom('AND' as const, 'OR' as const),
    values: fc.array(tie('part'), { maxLength: 3 }),
  }),
  part: fc.oneof({ depthSize: 'small' }, fc.string().map(leaf), tie('tree')),
}));

/** Whether a rule matches when these properties match; a group without conditions matches no persons. */
function holds(part: CohortTree | CohortLeaf, truths: (key: string) => boolean): boolean {
  if (!('values' in part)) return truths((part as CohortLeaf).key);
  const { type, values } = part as CohortTree;
  if (values.length === 0) return false;
  return type === 'AND'
    ? values.every((one) => holds(one, truths))
    : values.some((one) => holds(one, truths));
}

/** Without groups that have no condition, which an editor does not keep. */
function withoutEmpty(part: CohortTree): CohortTree {
  const values = part.values.flatMap((one): (CohortTree | CohortLeaf)[] => {
    if (!('values' in one)) return [one];
    const inner = withoutEmpty(one as CohortTree);
    return inner.values.length > 0 ? [inner] : [];
  });
  return { type: part.type, values };
}

describe('an edited rule', () => {
  test('keeps its meaning when it is stored without a change', () => {
    fc.assert(
      fc.property(tree, fc.func(fc.boolean()), (given, truths) => {
        const rule = withoutEmpty(given);
        const again = treeOfDraft(draftOfTree(rule));
        expect(holds(again, truths)).toBe(holds(rule, truths));
        expect(countConditions(again)).toBe(countConditions(rule));
      }),
    );
  });

  test('with conditions only has one group of them', () => {
    const draft = draftOfTree({ type: 'AND', values: [leaf('a'), leaf('b')] });
    expect(draft.groups).toHaveLength(1);
    expect(draft.groups[0]).toMatchObject({ type: 'AND' });
  });

  test('starts with one empty group, which is not stored', () => {
    expect(draftOfTree(null).groups).toHaveLength(1);
    expect(treeOfDraft(withGroup(draftOfTree(null)))).toEqual({ type: 'OR', values: [] });
  });

  test('gives each group a unique id', () => {
    const draft = withGroup(withGroup(draftOfTree(null)));
    expect(new Set(draft.groups.map(({ id }) => id)).size).toBe(3);
  });
});

describe('a single condition', () => {
  test('on a property is converted to an editor filter and back', () => {
    expect(filterOfLeaf(leaf('plan'))).toEqual({
      type: 'person',
      key: 'plan',
      operator: 'exact',
      value: 'x',
    });
    expect(leafOfFilter({ type: 'person', key: 'plan', operator: 'is_set' })).toEqual({
      type: 'person',
      key: 'plan',
      operator: 'is_set',
      negation: false,
    });
  });

  test.each([
    ['in', false, 'in'],
    ['in', true, 'not_in'],
    ['not_in', false, 'not_in'],
    ['not_in', true, 'in'],
    [null, true, 'not_in'],
  ])('on a cohort, operator %s with negation %s, reads as %s', (operator, negation, read) => {
    const filter = filterOfLeaf({ type: 'cohort', key: 'id', value: 5, operator, negation })!;
    expect(filter).toMatchObject({ operator: read, value: 5 });
    expect(leafOfFilter(filter)).toEqual({
      type: 'cohort',
      key: 'id',
      value: 5,
      negation: read === 'not_in',
    });
  });

  test('that the editor does not support is not converted', () => {
    expect(filterOfLeaf({ ...leaf('plan'), negation: true })).toBeNull();
    expect(filterOfLeaf({ type: 'behavioral', key: 'paid', value: 'performed_event' })).toBeNull();
  });
});
