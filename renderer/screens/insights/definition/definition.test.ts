import { describe, expect, test } from 'vitest';
import { breakdownsOf, withBreakdowns } from '../../../insights/editor/breakdowns.ts';
import { problemOfQuery } from '../../../insights/kinds.ts';
import { mathChoices, mathIdOf, withMath } from '../../../insights/trends/maths.ts';

const looked = { kind: 'EventsNode', event: 'looked' } as const;

describe('breakdowns', () => {
  test('of the older form are read, and written in the newer form', () => {
    const old = { breakdown: ['plan', 'country'], breakdown_type: 'person', breakdown_limit: 5 };
    const breakdowns = breakdownsOf(old);
    expect(breakdowns).toEqual([
      { property: 'plan', type: 'person' },
      { property: 'country', type: 'person' },
    ]);
    expect(withBreakdowns(old, breakdowns.slice(0, 1))).toEqual({
      breakdown_limit: 5,
      breakdowns: [{ property: 'plan', type: 'person' }],
    });
    expect(withBreakdowns(old, [])).toBeUndefined();
  });
});

describe('an aggregation', () => {
  test('includes a group type, which is stored in the series', () => {
    const ids = mathChoices([{ index: 1, name: 'companies' }]).map(({ id }) => id);
    expect(ids).toContain('unique_group 1');
    const node = withMath(looked, 'unique_group 1');
    expect(node).toEqual({ ...looked, math: 'unique_group', math_group_type_index: 1 });
    expect(mathIdOf(node)).toBe('unique_group 1');
    expect(withMath(node, 'dau')).toEqual({ ...looked, math: 'dau' });
  });

  test('by an expression requires an expression', () => {
    const series = [{ ...looked, math: 'hogql' }];
    expect(problemOfQuery({ kind: 'TrendsQuery', series })).toMatch(/expression for looked/);
    expect(problemOfQuery({ kind: 'TrendsQuery', series: [{ ...series[0]!, math_hogql: 'count()' }] })).toBe(
      '',
    );
  });
});
