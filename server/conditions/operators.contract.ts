/** How many values an operator compares with: `some` is one or more, `any` also none, `range` two. */
type ValueCount = 'none' | 'one' | 'some' | 'any' | 'range';

/** An operator in the console's list. */
interface Choice {
  /** Its place in the list. */
  readonly place: number;
  /** The text between the name of a property and a value. */
  readonly label: string;
  /** The text before several values. */
  readonly labelOfMany?: string;
  /** How many values the console requests. */
  readonly arity: 'none' | 'one' | 'many' | 'range';
  /** The type of the values that it compares; without it, any. */
  readonly fits?: 'text' | 'number' | 'date' | 'version';
}

/** Of which values SDKs (posthog-node 5.70) evaluate an operator themselves; absent: of none. */
type LocalValues = 'any' | 'texts' | 'portable patterns' | 'dates' | 'versions' | 'version wildcards';

/**
 * Where flags, and cohorts as flags evaluate them, read a condition otherwise than lists and queries, because
 * PostHog's flag service and HogQL do (amendment A-9), with both readings. `number texts` is ours: columns of
 * frequently queried properties hold numbers by the grammar of JSON.
 */
const TWO_READINGS = {
  null: {
    flags: 'A property that is null is set, and compared as the text null.',
    queries: 'A property that is null is not set.',
  },
  numbers: {
    flags: 'Numbers are compared as texts: 1 is not 1.0.',
    queries: 'A number also equals one that is written otherwise: 1 is 1.0.',
  },
  'number texts': {
    flags: 'Texts are numbers as people write them: 01, +1 and .5 too.',
    queries: 'Texts are numbers as JSON writes them: 01 is none.',
  },
  order: {
    flags: 'Numbers are ordered, and nothing else.',
    queries: 'Numbers, dates and texts are ordered, by the type of the value.',
  },
  'one text': {
    flags: 'The value is one text when a flag is written, and one pattern in cohorts.',
    queries: 'The value may be a number, and a list of which one is enough.',
  },
  'one date': {
    flags: 'The value is a text when a flag is written.',
    queries: 'The value may be a list of one date.',
  },
  'ignored value': {
    flags: 'A value that is not looked at is no object when a flag is written.',
    queries: 'A value that is not looked at may be anything in lists.',
  },
  absent: {
    flags: 'The operator does not exist for properties.',
    queries: 'The operator is another name of one.',
  },
} as const satisfies Record<string, { flags: string; queries: string }>;

interface OperatorRow {
  readonly values: ValueCount;
  /** Matches a property that is not set (P-1). */
  readonly matchesMissing?: true;
  /** Absent: another name of an operator, which the console does not offer. */
  readonly choice?: Choice;
  readonly local?: LocalValues;
  /** Its value is a regular expression. */
  readonly isPattern?: true;
  /** Absent: one reading. */
  readonly differs?: readonly (keyof typeof TWO_READINGS)[];
}

/**
 * Operators of a property filter, by PostHog's names: what clients, the console and SDKs need of them. `operators.ts`
 * evaluates them. `min` is gte, `max` is lte, `in` is exact, `not_in` is is_not.
 */
const ROWS = {
  exact: {
    values: 'any',
    choice: { place: 10, label: 'is', labelOfMany: 'is any of', arity: 'many' },
    local: 'texts',
    differs: ['null', 'numbers'],
  },
  is_not: {
    values: 'any',
    matchesMissing: true,
    choice: { place: 11, label: 'is not', labelOfMany: 'is none of', arity: 'many' },
    local: 'texts',
    differs: ['null', 'numbers'],
  },
  icontains: {
    values: 'some',
    choice: { place: 20, label: 'contains', arity: 'one', fits: 'text' },
    local: 'any',
    differs: ['null', 'one text'],
  },
  not_icontains: {
    values: 'some',
    matchesMissing: true,
    choice: { place: 21, label: 'does not contain', arity: 'one', fits: 'text' },
    local: 'any',
    differs: ['null', 'one text'],
  },
  icontains_multi: {
    values: 'some',
    choice: { place: 30, label: 'contains any of', arity: 'many', fits: 'text' },
    differs: ['null'],
  },
  not_icontains_multi: {
    values: 'some',
    matchesMissing: true,
    choice: { place: 31, label: 'contains none of', arity: 'many', fits: 'text' },
    differs: ['null'],
  },
  starts_with: {
    values: 'some',
    choice: { place: 22, label: 'starts with', arity: 'one', fits: 'text' },
    local: 'any',
    differs: ['null'],
  },
  not_starts_with: {
    values: 'some',
    matchesMissing: true,
    choice: { place: 23, label: 'does not start with', arity: 'one', fits: 'text' },
    local: 'any',
    differs: ['null'],
  },
  ends_with: {
    values: 'some',
    choice: { place: 24, label: 'ends with', arity: 'one', fits: 'text' },
    local: 'any',
    differs: ['null'],
  },
  not_ends_with: {
    values: 'some',
    matchesMissing: true,
    choice: { place: 25, label: 'does not end with', arity: 'one', fits: 'text' },
    local: 'any',
    differs: ['null'],
  },
  regex: {
    values: 'some',
    choice: { place: 70, label: 'matches regex', arity: 'one', fits: 'text' },
    local: 'portable patterns',
    isPattern: true,
    differs: ['null', 'one text'],
  },
  not_regex: {
    values: 'some',
    matchesMissing: true,
    choice: { place: 71, label: 'does not match regex', arity: 'one', fits: 'text' },
    local: 'portable patterns',
    isPattern: true,
    differs: ['null', 'one text'],
  },
  gt: {
    values: 'one',
    choice: { place: 40, label: 'is greater than', arity: 'one', fits: 'number' },
    local: 'any',
    differs: ['order', 'number texts'],
  },
  gte: {
    values: 'one',
    choice: { place: 41, label: 'is at least', arity: 'one', fits: 'number' },
    local: 'any',
    differs: ['order', 'number texts'],
  },
  lt: {
    values: 'one',
    choice: { place: 42, label: 'is less than', arity: 'one', fits: 'number' },
    local: 'any',
    differs: ['order', 'number texts'],
  },
  lte: {
    values: 'one',
    choice: { place: 43, label: 'is at most', arity: 'one', fits: 'number' },
    local: 'any',
    differs: ['order', 'number texts'],
  },
  min: { values: 'one', differs: ['absent'] },
  max: { values: 'one', differs: ['absent'] },
  between: {
    values: 'range',
    choice: { place: 44, label: 'is between', arity: 'range', fits: 'number' },
    differs: ['order', 'number texts'],
  },
  not_between: {
    values: 'range',
    matchesMissing: true,
    choice: { place: 45, label: 'is not between', arity: 'range', fits: 'number' },
    differs: ['null', 'order', 'number texts'],
  },
  in: { values: 'any', differs: ['absent'] },
  not_in: { values: 'any', matchesMissing: true, differs: ['absent'] },
  is_set: {
    values: 'none',
    choice: { place: 60, label: 'is set', arity: 'none' },
    local: 'any',
    differs: ['null', 'ignored value'],
  },
  is_not_set: {
    values: 'none',
    matchesMissing: true,
    choice: { place: 61, label: 'is not set', arity: 'none' },
    local: 'any',
    differs: ['null', 'ignored value'],
  },
  is_date_exact: {
    values: 'one',
    choice: { place: 52, label: 'is on', arity: 'one', fits: 'date' },
    differs: ['one date'],
  },
  is_date_before: {
    values: 'one',
    choice: { place: 50, label: 'is before', arity: 'one', fits: 'date' },
    local: 'dates',
    differs: ['one date'],
  },
  is_date_after: {
    values: 'one',
    choice: { place: 51, label: 'is after', arity: 'one', fits: 'date' },
    local: 'dates',
    differs: ['one date'],
  },
  semver_eq: version(80, 'is version'),
  semver_neq: version(81, 'is not version'),
  semver_gt: version(82, 'is later than version'),
  semver_gte: version(83, 'is at least version'),
  semver_lt: version(84, 'is earlier than version'),
  semver_lte: version(85, 'is at most version'),
  semver_tilde: version(86, 'is a patch of version'),
  semver_caret: version(87, 'is compatible with version'),
  semver_wildcard: { ...version(88, 'is a version like'), local: 'version wildcards' },
} as const satisfies Record<string, OperatorRow>;

/** An operator on version numbers (P-8). */
function version(place: number, label: string) {
  return {
    values: 'one',
    choice: { place, label, arity: 'one', fits: 'version' },
    local: 'versions',
  } as const;
}

export type Operator = keyof typeof ROWS;
export const OPERATORS = Object.keys(ROWS) as [Operator, ...Operator[]];

export type Scalar = string | number | boolean;

/** What clients, the console and SDKs need of an operator. */
export function operatorRow(operator: Operator): OperatorRow {
  return ROWS[operator];
}

export function isOperator(name: string): name is Operator {
  return Object.hasOwn(ROWS, name);
}

export interface OperatorChoice extends Choice {
  readonly id: Operator;
}

/** The operators that the console offers, in their order. */
export const OPERATOR_CHOICES: readonly OperatorChoice[] = OPERATORS.flatMap((id) => {
  const { choice } = operatorRow(id);
  return choice === undefined ? [] : [{ id, ...choice }];
}).toSorted((a, b) => a.place - b.place);

/** Whether an operator matches a property that is not set (P-1). */
export function matchesMissing(operator: Operator): boolean {
  return operatorRow(operator).matchesMissing === true;
}

/** Whether an operator compares by equality, also negated. */
export function isEquality(operator: Operator): boolean {
  return operatorRow(operator).values === 'any';
}

/** How flags and cohorts read an operator, and lists and queries, where they differ. */
export function readingsOf(operator: Operator): readonly { flags: string; queries: string }[] {
  return (operatorRow(operator).differs ?? []).map((name) => TWO_READINGS[name]);
}

/** Whether the value of an operator is a regular expression. */
export function takesPattern(operator: Operator): boolean {
  return operatorRow(operator).isPattern === true;
}
