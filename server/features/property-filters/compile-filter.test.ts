import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../db/client.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { formatElementsChain } from '../../lib/elements-chain.ts';
import { compileFilter } from './compile-filter.ts';
import type { Operator, PropertyGroup, PropertyLeaf, Scalar } from './property-filters.contract.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 30);
/** A property's JSON as it stands in an event, and the text that a filter sees; null: nothing to see. */
interface Stored {
  json: string;
  text: string | null;
}
interface StoredEvent {
  plan: Stored | null;
  $browser: Stored | null;
  person: Stored | 'none' | null;
  isMerged: boolean;
  group: Stored | 'none' | null;
  isSettled: boolean;
}

let store: Store;
let project = 0;
beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.close());

const DAY = '2026-03-04';
const TEXTS = [
  '',
  'Free',
  'free',
  'x',
  '.',
  '007',
  '10',
  '9',
  'true',
  'null',
  '1.0',
  '1.10',
  DAY,
  'Ünï"q\\',
  '[1]',
];
const DATES = [
  `${DAY}T00:00:00Z`,
  `${DAY}T01:00:00+02:00`,
  `${DAY} 23:59:59.999999`,
  '2026-02-30',
  '1772582400',
];

const texts = fc.constantFrom(...TEXTS, ...DATES);
const numbers = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(7, 10, 0.5, 1.1, 1_772_582_400));
const jsonValues: fc.Arbitrary<Stored> = fc.oneof(
  texts.map((text) => ({ json: JSON.stringify(text), text })),
  numbers.map((number) => ({ json: String(number), text: String(number) })),
  fc.constantFrom({ json: '1.0', text: '1.0' }, { json: '1e1', text: '10.0' }, { json: 'null', text: null }),
  fc.constantFrom('true', 'false', '[1,"x"]', '{"k":true}', '[]').map((json) => ({ json, text: json })),
);
const maybe = fc.option(jsonValues, { nil: null, freq: 6 });
const maybeOwner = fc.oneof(maybe, fc.constant('none' as const));
const events: fc.Arbitrary<StoredEvent> = fc.record({
  plan: maybe,
  $browser: maybe,
  person: maybeOwner,
  isMerged: fc.boolean(),
  group: maybeOwner,
  isSettled: fc.boolean(),
});

const scalars: fc.Arbitrary<Scalar> = fc.oneof(texts, numbers, fc.boolean());
const spans = fc.constantFrom('-7d', '3h', '-1y', '2w', '-8m');
const patterns = fc.constantFrom('^free$', '(?i)FREE', '.', '[0-9]+', 'x|true', '');
const comparisons: fc.Arbitrary<{ operator: Operator; value?: Scalar | Scalar[] | undefined }> = fc.oneof(
  fc.record({
    operator: fc.constantFrom('exact' as const, 'is_not', 'in', 'not_in'),
    value: fc.oneof(scalars, fc.array(scalars, { maxLength: 3 })),
  }),
  fc.record({
    operator: fc.constantFrom('icontains' as const, 'not_icontains'),
    value: fc.oneof(scalars, fc.array(scalars, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({ operator: fc.constantFrom('regex' as const, 'not_regex'), value: patterns }),
  fc.record({ operator: fc.constantFrom('gt' as const, 'gte', 'lt', 'lte', 'min', 'max'), value: scalars }),
  fc.record({
    operator: fc.constantFrom('between' as const, 'not_between'),
    value: fc.oneof(
      fc.tuple(numbers, numbers),
      fc.tuple(numbers.map(String), numbers) as fc.Arbitrary<Scalar[]>,
    ),
  }),
  fc.record({
    operator: fc.constantFrom('between' as const, 'not_between'),
    value: fc.constantFrom<string[]>([DAY, `${DAY}T12:00:00Z`], [`${DAY}T00:00:00+02:00`, '2026-03-05']),
  }),
  fc.record({ operator: fc.constantFrom('is_set' as const, 'is_not_set') }),
  fc.record({
    operator: fc.constantFrom('is_date_exact' as const, 'is_date_before', 'is_date_after'),
    value: fc.oneof(fc.constantFrom(DAY, ...DATES.slice(0, 3)), spans),
  }),
);
const leaves: fc.Arbitrary<PropertyLeaf> = fc
  .tuple(
    comparisons,
    fc.constantFrom(
      { type: 'event' as const, key: 'plan' },
      { type: 'event' as const, key: '$browser' },
      { type: 'person' as const, key: 'plan' },
      { type: 'group' as const, key: 'plan', group_type_index: 2 },
    ),
  )
  .map(([comparison, target]) => ({ ...comparison, ...target }));
const trees: fc.Arbitrary<PropertyGroup> = fc
  .tuple(
    fc.constantFrom('AND' as const, 'OR'),
    fc.array(
      fc.oneof(
        leaves,
        fc.record({
          type: fc.constantFrom('AND' as const, 'OR'),
          values: fc.array(leaves, { minLength: 1, maxLength: 3 }),
        }),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([type, values]) => ({ type, values }));

/** Stores the events under a project of their own, with their persons and groups. */
async function insert(list: readonly StoredEvent[]): Promise<number> {
  const projectId = ++project;
  for (const [at, event] of list.entries()) {
    const id = projectId * 1000 + at * 2;
    const objectOf = (entries: [string, string | undefined][]): string =>
      `{${entries.flatMap(([key, json]) => (json === undefined ? [] : [`"${key}": ${json}`])).join(',')}}`;
    const hasGroup = event.group !== 'none';
    const properties = objectOf([
      ['plan', event.plan?.json],
      ['$browser', event.$browser?.json],
      ['$group_2', hasGroup ? `"g${at}"` : undefined],
    ]);
    await store.db.run(
      `INSERT INTO events_recent VALUES ($seq, $projectId, now()::TIMESTAMP, uuid(), $event, 'd', $personId, $properties,
         NULL, now()::TIMESTAMP, false, false)`,
      {
        seq: id,
        projectId,
        event: String(at),
        personId: event.isMerged ? id + 1 : id,
        properties,
      },
    );
    if (event.isMerged) {
      await store.db.run('INSERT INTO person_merges VALUES ($version, $projectId, $old, $id)', {
        version: id,
        projectId,
        old: id + 1,
        id,
      });
    }
    if (event.person !== 'none') {
      await store.db.run(
        `INSERT INTO persons_settled VALUES ($projectId, $id, uuid(), now()::TIMESTAMP, $properties, '{}', true)`,
        { projectId, id, properties: objectOf([['plan', event.person?.json]]) },
      );
    }
    if (event.group !== 'none') {
      await store.db.run(
        `INSERT INTO groups_settled VALUES ($projectId, 2, $key, now()::TIMESTAMP, $properties)`,
        { projectId, key: `g${at}`, properties: objectOf([['plan', event.group?.json]]) },
      );
    }
    if (event.isSettled) {
      await store.db.transaction(async (tx) => {
        await tx.run('INSERT INTO events SELECT * FROM recent_events');
        await tx.run('DELETE FROM events_recent');
      });
    }
  }
  return projectId;
}

async function find(projectId: number, filter: PropertyGroup): Promise<number[]> {
  const { sql, params } = compileFilter(filter, { rows: 'events', alias: 'e', projectId, now: NOW });
  const rows = await store.analytics.all<{ event: string }>(
    `SELECT event FROM all_events e WHERE project_id = $projectId AND ${sql}`,
    { ...params, projectId },
  );
  return rows.map(({ event }) => Number(event)).toSorted((a, b) => a - b);
}

/** The same rules as a few lines of JavaScript over one value. */
function holds(stored: Stored | null, { operator, value }: PropertyLeaf): boolean {
  const x = stored?.text ?? null;
  const values = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  const text = (scalar: Scalar): string => String(scalar);
  const negated: Partial<Record<Operator, Operator>> = {
    is_not: 'exact',
    not_in: 'exact',
    not_icontains: 'icontains',
    not_regex: 'regex',
  };
  const positive = negated[operator];
  if (positive !== undefined) {
    return x === null || !holds(stored, { type: 'event', key: '', operator: positive, value });
  }
  if (operator === 'is_not_set') return x === null;
  if (x === null) return operator === 'not_between';
  const compared = (bound: Scalar): number | null => {
    const [left, right] = isNumber(text(bound))
      ? [isNumber(x) ? Number(x) : null, Number(bound)]
      : isDate(text(bound))
        ? [dateOf(x), dateOf(text(bound))!]
        : [x, text(bound)];
    if (left === null) return null;
    return left < right ? -1 : left > right ? 1 : 0;
  };
  const order = (accept: (sign: number) => boolean, bound = values[0]!): boolean => {
    const sign = compared(bound);
    return sign !== null && accept(sign);
  };
  switch (operator) {
    case 'is_set':
      return true;
    case 'icontains':
      return values.some((one) => x.toLowerCase().includes(text(one).toLowerCase()));
    case 'regex':
      return values.some((one) =>
        new RegExp(text(one).replace('(?i)', ''), text(one).startsWith('(?i)') ? 'i' : '').test(x),
      );
    case 'gt':
      return order((sign) => sign > 0);
    case 'gte':
    case 'min':
      return order((sign) => sign >= 0);
    case 'lt':
      return order((sign) => sign < 0);
    case 'lte':
    case 'max':
      return order((sign) => sign <= 0);
    case 'between':
      return order((sign) => sign >= 0) && order((sign) => sign <= 0, values[1]);
    case 'not_between':
      return order((sign) => sign < 0) || order((sign) => sign > 0, values[1]);
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after': {
      const date = dateOf(x);
      const [start, end] = spanOf(text(values[0]!));
      if (date === null) return false;
      if (operator === 'is_date_before') return date < start;
      return operator === 'is_date_after' ? date >= end : date >= start && date < end;
    }
    default:
      if (values.length === 0) return x.toLowerCase() === 'true';
      return values.some(
        (one) =>
          text(one).toLowerCase() === x.toLowerCase() ||
          (typeof one === 'number' && isNumber(x) && Number(x) === one),
      );
  }
}

function isNumber(text: string): boolean {
  try {
    return typeof JSON.parse(text) === 'number';
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  return text.startsWith('2026-03-') || text.startsWith('2026-02-0');
}

/** Milliseconds with a fraction. */
function dateOf(text: string): number | null {
  if (isNumber(text)) return Number(text) * 1000;
  if (!isDate(text)) return null;
  if (text === `${DAY} 23:59:59.999999`) return Date.UTC(2026, 2, 4, 23, 59, 59, 999) + 0.999;
  return Date.parse(text);
}

function spanOf(text: string): [start: number, end: number] {
  const instants: Record<string, number> = {
    '-7d': Date.UTC(2026, 10, 13, 9, 30),
    '3h': Date.UTC(2026, 10, 20, 6, 30),
    '-1y': Date.UTC(2025, 10, 20, 9, 30),
    '2w': Date.UTC(2026, 10, 6, 9, 30),
    '-8m': Date.UTC(2026, 2, 20, 9, 30),
  };
  const start = instants[text] ?? dateOf(text)!;
  return [start, start + (text === DAY ? 86_400_000 : 0.001)];
}

function matches(event: StoredEvent, node: PropertyGroup | PropertyLeaf): boolean {
  if ('values' in node) {
    const results = node.values.map((inner) => matches(event, inner));
    return node.type === 'AND' ? results.every(Boolean) : results.some(Boolean);
  }
  if (node.type === 'event') return holds(node.key === 'plan' ? event.plan : event.$browser, node);
  const owner = node.type === 'person' ? event.person : event.group;
  return holds(owner === 'none' ? null : owner, node);
}

describe('a filter', () => {
  test('finds the same events in the store as the rules written out in JavaScript', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(events, { minLength: 1, maxLength: 8 }),
        fc.array(trees, { minLength: 6, maxLength: 6 }),
        async (list, filters) => {
          const projectId = await insert(list);
          for (const filter of filters) {
            const expected = list.flatMap((event, at) => (matches(event, filter) ? [at] : []));
            expect(await find(projectId, filter)).toEqual(expected);
          }
        },
      ),
      { numRuns: 60 },
    );
  }, 60_000);

  test.each<[stored: unknown, operator: Operator, value: Scalar | Scalar[], holds: boolean]>([
    ['free', 'exact', 'FREE', true],
    ['1.10', 'exact', '1.1', false],
    ['007', 'exact', 7, false],
    [7, 'exact', '7', true],
    ['7', 'exact', 7, true],
    [true, 'exact', ['true'], true],
    ['1_000', 'gt', 5, false],
    ['9', 'lt', '10', true],
    ['9', 'lt', '10a', false],
    ['unknown', 'gt', 5, false],
    ['unknown', 'not_between', [1, 5], false],
    ['2026-03-04T23:00:00-05:00', 'gt', '2026-03-05', true],
    ['2026-03-04T23:00:00-05:00', 'is_date_exact', '2026-03-04', false],
    [1_772_668_800, 'is_date_exact', '2026-03-05', true],
    ['soon', 'is_date_before', '2026-03-05', false],
    ['inf', 'gt', 5, false],
  ])('%j %s %j: %s', async (stored, operator, value, expected) => {
    const projectId = ++project;
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, $properties, NULL,
         now()::TIMESTAMP, false, false)`,
      { projectId, properties: JSON.stringify({ plan: stored }) },
    );
    const leaf: PropertyLeaf = { type: 'event', key: 'plan', operator, value };
    expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual(expected ? [0] : []);
  });

  test('reads properties of any name, and never as part of the statement', async () => {
    const names = ['*', '$', 'a.b', 'a/b', 'a~1', '"', '\\', `'; DROP TABLE events; --`, '[0]', 'é', '$."x"'];
    const projectId = ++project;
    for (const [at, name] of names.entries()) {
      await store.db.run(
        `INSERT INTO events_recent VALUES ($at, $projectId, now()::TIMESTAMP, uuid(), $event, 'd', 0, $properties, NULL,
           now()::TIMESTAMP, false, false)`,
        { at, projectId, event: String(at), properties: JSON.stringify({ [name]: name }) },
      );
    }
    for (const [at, name] of names.entries()) {
      const leaf: PropertyLeaf = { type: 'event', key: name, operator: 'exact', value: name };
      expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual([at]);
    }
  });

  test('on a flag reads what the event says of it', async () => {
    const projectId = ++project;
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, $properties, NULL,
         now()::TIMESTAMP, false, false)`,
      { projectId, properties: '{"$feature/new-nav": "test"}' },
    );
    for (const key of ['new-nav', '$feature/new-nav']) {
      const leaf: PropertyLeaf = { type: 'feature', key, operator: 'exact', value: 'test' };
      expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual([0]);
    }
  });

  test('on an element looks at all of the chain', async () => {
    const projectId = ++project;
    const chain =
      'button.buy:attr__href="/no"attr_id="b"nth-child="1"text="Buy; \\"now\\""href="/Shop";form.x:nth-child="2"';
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, '{}', $chain,
         now()::TIMESTAMP, false, false),
       (2, $projectId, now()::TIMESTAMP, uuid(), '1', 'd', 0, '{}', NULL, now()::TIMESTAMP, false, false)`,
      { projectId, chain },
    );
    const ask = (key: string, operator: Operator, value?: Scalar | Scalar[]): Promise<number[]> =>
      find(projectId, { type: 'AND', values: [{ type: 'element', key, operator, value }] });
    expect(await ask('tag_name', 'exact', 'form')).toEqual([0]);
    expect(await ask('tag_name', 'exact', ['input', 'a'])).toEqual([]);
    expect(await ask('tag_name', 'is_not', 'button')).toEqual([1]);
    expect(await ask('tag_name', 'is_set')).toEqual([0]);
    expect(await ask('tag_name', 'is_not_set')).toEqual([1]);
    expect(await ask('text', 'exact', 'buy; "now"')).toEqual([0]);
    expect(await ask('text', 'not_icontains', 'now')).toEqual([1]);
    expect(await ask('href', 'exact', '/shop')).toEqual([0]);
    expect(await ask('href', 'exact', '/no')).toEqual([]);
    expect(await ask('href', 'regex', '^/Sh')).toEqual([0]);
    expect(await ask('selector', 'exact', ['a', 'form button'])).toEqual([0]);
    expect(await ask('selector', 'is_not', 'form > button')).toEqual([1]);
  });

  test.each([
    ['button', true],
    ['BUTTON', true],
    ['butto', false],
    ['*', true],
    ['a', false],
    ['.buy', true],
    ['.bu', false],
    ['.md\\:flex', true],
    ['.buy.big', true],
    ['.big.buy', true],
    ['button.buy.big#go', true],
    ['form.big', false],
    ['#go', true],
    ['#g', false],
    ['[data-x]', true],
    ['[data-y]', false],
    ['[data-x="a;b\\"]', true],
    [`[data-x='a']`, false],
    ['[data-x^="a;"]', true],
    ['[data-x$=b]', false],
    ['[data-x*=";"]', true],
    ['[href="/shop"]', true],
    ['button:nth-child(2)', true],
    ['button:nth-child(22)', false],
    ['button:nth-of-type(1)', true],
    ['form > button', true],
    ['form>button', true],
    ['main > button', false],
    ['main button', true],
    ['main > form button', true],
    ['main > form > button', true],
    ['body main > button', false],
    ['main.wide form', true],
    ['button form', false],
    ['* > * > *', true],
    ['* > * > * > *', false],
  ])('by the selector %s: %s', async (selector, expected) => {
    const projectId = ++project;
    const chain = formatElementsChain([
      {
        tag_name: 'button',
        attr__class: 'md:flex buy big',
        attr__id: 'go',
        nth_child: 2,
        nth_of_type: 1,
        $el_text: '.nothing; a#b.c form>x attr__data-y="1"',
        'attr__data-x': 'a;b\\',
        attr__href: '/shop',
      },
      { tag_name: 'form', attr__class: 'small' },
      { tag_name: 'main', attr__class: 'wide' },
    ]);
    await store.db.run(
      `INSERT INTO events_recent VALUES (1, $projectId, now()::TIMESTAMP, uuid(), '0', 'd', 0, '{}', $chain,
         now()::TIMESTAMP, false, false)`,
      { projectId, chain },
    );
    const leaf: PropertyLeaf = { type: 'element', key: 'selector', operator: 'exact', value: selector };
    expect(await find(projectId, { type: 'AND', values: [leaf] })).toEqual(expected ? [0] : []);
  });
});
