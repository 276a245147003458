import type { Operator, Scalar } from '../../server/conditions/operators.contract.ts';
import fc from 'fast-check';
import type {
  PropertyGroup,
  PropertyLeaf,
} from '../../server/features/property-filters/property-filters.contract.ts';

/** The time of relative dates, Unix milliseconds. */
export const NOW = Date.UTC(2026, 10, 20, 9, 30);

/** A property's JSON in an event, and the text that a filter compares; null: no text. */
interface Stored {
  json: string;
  text: string | null;
}

/** What filters see of an event, of its person and of its group. */
export interface StoredEvent {
  plan: Stored | null;
  $browser: Stored | null;
  person: Stored | 'none' | null;
  isMerged: boolean;
  group: Stored | 'none' | null;
  isSettled: boolean;
}

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

/** Events of all kinds of values. */
export const events: fc.Arbitrary<StoredEvent> = fc.record({
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

/** Whether a person is in cohort 1, which has all persons on the free plan. */
const cohortLeaves: fc.Arbitrary<PropertyLeaf> = fc.record({
  type: fc.constant('cohort' as const),
  key: fc.constant('id'),
  value: fc.constant(1),
  operator: fc.constantFrom('in' as const, 'not_in', 'exact', 'is_not'),
  negation: fc.boolean(),
});

const comparingLeaves: fc.Arbitrary<PropertyLeaf> = fc
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

const leaves = fc.oneof({ weight: 8, arbitrary: comparingLeaves }, { weight: 1, arbitrary: cohortLeaves });

/** Filters of all operators, one level deep. */
export const trees: fc.Arbitrary<PropertyGroup> = fc
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
      const wanted = text(values[0]!);
      const moment = SPANS[wanted] ?? dateOf(wanted)!;
      if (date === null) return false;
      if (operator === 'is_date_before') return date < moment;
      if (operator === 'is_date_after') return date > moment;
      const isDay = wanted in SPANS || wanted === DAY;
      return isDay ? dayOf(date) === dayOf(moment) : date === moment;
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

const SPANS: Readonly<Record<string, number>> = {
  '-7d': Date.UTC(2026, 10, 13, 9, 30),
  '3h': Date.UTC(2026, 10, 20, 6, 30),
  '-1y': Date.UTC(2025, 10, 20, 9, 30),
  '2w': Date.UTC(2026, 10, 6, 9, 30),
  '-8m': Date.UTC(2026, 2, 20, 9, 30),
};

function dayOf(date: number): number {
  return Math.floor(date / 86_400_000);
}

/** Whether an event passes a filter, by the rules written out in JavaScript. */
export function matches(event: StoredEvent, node: PropertyGroup | PropertyLeaf): boolean {
  if ('values' in node) {
    const results = node.values.map((inner) => matches(event, inner));
    return node.type === 'AND' ? results.every(Boolean) : results.some(Boolean);
  }
  if (node.type === 'cohort') {
    const isMember = event.person !== 'none' && event.person?.text === 'free';
    const isNegative = node.operator === 'not_in' || node.operator === 'is_not';
    return isMember !== (isNegative !== node.negation);
  }
  if (node.type === 'event') return holds(node.key === 'plan' ? event.plan : event.$browser, node);
  const owner = node.type === 'person' ? event.person : event.group;
  return holds(owner === 'none' ? null : owner, node);
}
