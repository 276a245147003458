import { describe, expect, test } from 'vitest';
import { overrideQuery } from './override-query.ts';

const sql = (variables?: object) => ({
  kind: 'HogQLQuery',
  query: 'select {variables.plan}',
  ...(variables && { variables }),
});
const overridden = (query: { kind: string }, variables: Record<string, unknown>) =>
  overrideQuery(query, { variables })['variables'];

describe('values of variables', () => {
  const own = {
    a: { variableId: 'a', code_name: 'plan', value: 'free' },
    b: { variableId: 'b', code_name: 'city', value: 'Bonn' },
  };

  test('override only the variable with their id, or its name', () => {
    const changed = { ...own, a: { ...own.a, value: 'pro' } };
    expect(overridden(sql(own), { a: { value: 'pro' } })).toEqual(changed);
    expect(overridden(sql(own), { x: { variableId: 'a', value: 'pro' } })).toEqual(changed);
    expect(overridden(sql(own), { x: { code_name: 'plan', value: 'pro' } })).toEqual(changed);
    expect(overridden(sql(own), { a: { isNull: true } })).toEqual({ ...own, a: { ...own.a, isNull: true } });
  });

  test('of variables without an id apply only to those with the same key or name', () => {
    const unnamed = { a: { code_name: 'plan', value: 1 }, b: { code_name: 'city', value: 2 }, c: {} };
    const overrides = { a: { code_name: 'plan', value: 9 } };
    expect(overridden(sql(unnamed), overrides)).toEqual({ ...unnamed, a: { code_name: 'plan', value: 9 } });
  });

  test('apply to a text that uses a variable without listing it', () => {
    const override = { variableId: 'a', code_name: 'plan', value: 'pro' };
    expect(overridden(sql(), { a: override })).toEqual({ a: override });
    expect(overridden(sql({ b: own.b }), { a: override })).toEqual({ a: override, b: own.b });
  });

  test('that are invalid are ignored, and so are queries without variables', () => {
    const odd = { a: null, b: 'text', c: ['x'], constructor: 3 };
    expect(overridden(sql(own), odd)).toEqual(own);
    expect(overridden(sql(), odd)).toBeUndefined();
    const trend = { kind: 'TrendsQuery', series: [] };
    expect(overrideQuery(trend, { variables: { a: { value: 1 } } })).toBe(trend);
  });

  test('apply to the insight of other points and of correlations', () => {
    const insight = { kind: 'FunnelsQuery', series: [] };
    const filters = { date_from: '-7d' };
    const changed = overrideQuery(insight, { filters });
    expect(changed).not.toEqual(insight);
    const about = (kind: string, source: object) => ({ kind, source });
    for (const wrap of [
      (of: object) => about('InsightActorsQueryOptions', about('FunnelsActorsQuery', of)),
      (of: object) => about('InsightActorsQueryOptions', of),
      (of: object) => about('FunnelCorrelationQuery', about('FunnelsActorsQuery', of)),
    ]) {
      expect(overrideQuery(wrap(insight), { filters })).toEqual(wrap(changed));
    }
  });

  test('apply to the query in a wrapper', () => {
    const node = { kind: 'DataVisualizationNode', source: sql(own) };
    expect(overrideQuery(node, { variables: { a: { value: 'pro' } } })).toEqual({
      ...node,
      source: sql({ ...own, a: { ...own.a, value: 'pro' } }),
    });
  });
});
