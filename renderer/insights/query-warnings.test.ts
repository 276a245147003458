import { expect, test } from 'vitest';
import { withoutUnsupported } from './query-warnings.ts';

const VISIT = { kind: 'EventsNode', event: 'visit' };
const warned = (...fields: string[]) =>
  fields.map((field) => ({ message: `"${field}" is not supported yet.`, field }));

test('unsupported fields are removed from a query at every depth', () => {
  const query = {
    kind: 'InsightVizNode',
    source: {
      kind: 'TrendsQuery',
      series: [VISIT, { ...VISIT, math_multiplier: 2 }],
      excludeIncompletePeriods: true,
    },
  };
  const fields = warned('source.excludeIncompletePeriods', 'source.series.1.math_multiplier');
  expect(withoutUnsupported(query, fields)).toEqual({
    kind: 'InsightVizNode',
    source: { kind: 'TrendsQuery', series: [VISIT, VISIT] },
  });
  expect(query.source.series[1]).toHaveProperty('math_multiplier', 2);
});

test('a query without warnings is unchanged, and so is one that removal would make invalid', () => {
  const query = { properties: [{ key: '$virt_x', type: 'person' }] };
  expect(withoutUnsupported(query)).toBe(query);
  expect(withoutUnsupported(query, warned('properties.0.key', 'nothing'))).toEqual(query);
});
