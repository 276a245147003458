import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts';
import { readTemplate } from './read-template.ts';

const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
};
const INSIGHT = {
  type: 'INSIGHT',
  name: 'Views',
  description: 'All of them',
  query: QUERY,
  layouts: {},
  color: 'blue',
};
const TEMPLATE = {
  template_name: 'Starter',
  dashboard_description: 'Basics',
  dashboard_filters: { date_from: '-7d' },
  tiles: [{ type: 'TEXT', body: 'Hello', layouts: { sm: { x: 0 } } }, INSIGHT],
  tags: [' Ops', 'ops'],
};

function detailOf(template: unknown): string {
  try {
    readTemplate(template);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { type, code, detail, attr } = error.body;
    expect({ type, code, attr }).toEqual({ type: 'validation_error', code: 'invalid_input', attr: null });
    return detail;
  }
  throw new Error('The template was accepted.');
}

/** Of a tile of which nothing was said. */
const UNSAID = { showDescription: null, filtersOverrides: null, transparentBackground: null };

test('a template becomes the name, filters, tags and tiles of a dashboard', () => {
  expect(readTemplate(TEMPLATE)).toEqual({
    name: 'Starter',
    description: 'Basics',
    filters: { date_from: '-7d' },
    variables: {},
    tags: ['ops'],
    tiles: [
      { type: 'TEXT', body: 'Hello', layouts: { sm: { x: 0 } }, color: null, ...UNSAID },
      {
        type: 'INSIGHT',
        insight: { name: 'Views', description: 'All of them', query: QUERY, filters: {} },
        layouts: {},
        color: 'blue',
        ...UNSAID,
      },
    ],
    skipped: [],
  });
});

test('old filters of a tile become a query', () => {
  const filters = { insight: 'TRENDS', events: [{ id: '$pageview' }] };
  const { tiles } = readTemplate({ ...TEMPLATE, tiles: [{ type: 'INSIGHT', name: null, filters }] });
  expect(tiles[0]).toMatchObject({ insight: { name: null, filters, query: QUERY } });
});

test('tiles of other types are left out and listed', () => {
  const { tiles, skipped } = readTemplate({ ...TEMPLATE, tiles: [INSIGHT, { type: 'BUTTON', url: '/' }] });
  expect(tiles).toHaveLength(1);
  expect(skipped).toEqual(['BUTTON']);
});

test('variables without a chosen value have their defaults', () => {
  const chosen = { kind: 'EventsNode', event: 'signup' };
  const variable = {
    id: 'SIGNUP',
    name: 'Sign-up',
    type: 'event',
    default: chosen,
    description: '',
    required: true,
  };
  const query = { kind: 'TrendsQuery', series: ['{SIGNUP}'] };
  const tiles = [{ ...INSIGHT, query }];
  expect(readTemplate({ ...TEMPLATE, tiles, variables: [variable] }).tiles[0]).toMatchObject({
    insight: { query: { series: [chosen] } },
  });
  expect(detailOf({ ...TEMPLATE, tiles, variables: [] })).toContain('tiles.0: Invalid query.');
});

describe('a violation is refused without a field, and the detail names the rule', () => {
  const { template_name: _name, ...nameless } = TEMPLATE;
  test.each([
    [nameless, 'template_name: This field is required.'],
    [{ ...TEMPLATE, template_name: 7 }, 'template_name: Expected a value of type string.'],
    [{ ...TEMPLATE, dashboard_description: null }, 'dashboard_description'],
    [{ ...TEMPLATE, dashboard_filters: [] }, 'dashboard_filters: An object was expected.'],
    [{ ...TEMPLATE, tiles: [] }, 'tiles'],
    [{ ...TEMPLATE, tiles: {} }, 'tiles: A list was expected.'],
    [{ ...TEMPLATE, tiles: ['a'] }, 'tiles.0: An object was expected.'],
    [{ ...TEMPLATE, tiles: [{ name: 'Views' }] }, 'tiles.0.type'],
    [{ ...TEMPLATE, tiles: [INSIGHT, { type: 'TEXT' }] }, 'tiles.1.body: This field is required.'],
    [{ ...TEMPLATE, tiles: [{ type: 'TEXT', body: 'x'.repeat(4001) }] }, 'tiles.0.body: At most 4000'],
    [
      { ...TEMPLATE, tiles: [{ ...INSIGHT, query: null }] },
      'tiles.0.query: A query or filters are required.',
    ],
    [{ ...TEMPLATE, tiles: [{ ...INSIGHT, query: { kind: 'X' } }] }, 'tiles.0: Invalid query.'],
    [{ ...TEMPLATE, variables: [{ id: 'A' }] }, 'variables.0.name: This field is required.'],
    [{ ...TEMPLATE, tags: 'ops' }, 'tags: A list was expected.'],
    ['template', 'The template: '],
    [null, 'The template: '],
  ])('%j', (template, detail) => {
    expect(detailOf(template)).toContain(detail);
  });
});

describe('the built-in templates', () => {
  test.each(BUILT_IN_TEMPLATES.map((template) => [template.key, template] as const))(
    '%s can be used',
    (_, one) => {
      const { tiles, skipped, name } = readTemplate(one);
      expect(name).not.toBe('');
      expect(skipped).toEqual([]);
      expect(tiles).toHaveLength(one.tiles.length);
    },
  );

  test('DEFAULT_APP has six tiles with insights', () => {
    const template = BUILT_IN_TEMPLATES.find(({ key }) => key === 'DEFAULT_APP')!;
    expect(readTemplate(template).tiles.map(({ type }) => type)).toEqual(Array(6).fill('INSIGHT'));
  });

  test.each(BUILT_IN_TEMPLATES.map((template) => [template.key, template] as const))(
    'tiles of %s do not overlap',
    (_, template) => {
      for (const size of ['sm', 'xs']) {
        const taken = readTemplate(template).tiles.flatMap(({ layouts }) => {
          const { x, y, w, h } = layouts[size] as Record<'x' | 'y' | 'w' | 'h', number>;
          return Array.from({ length: w * h }, (__, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`);
        });
        expect(new Set(taken).size).toBe(taken.length);
      }
    },
  );
});
