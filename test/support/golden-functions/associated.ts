import type { Expected, GoldenTable } from './golden-table.ts';

const PAIRS = [
  ['free', 'web'],
  ['free', 'web'],
  ['free', 'ios'],
  ['pro', 'ios'],
  ['pro', 'ios'],
  ['pro', 'web'],
  ['team', 'api'],
  ['team', 'api'],
] as const;
const N = PAIRS.length;

function counts(items: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const item of items) found.set(item, (found.get(item) ?? 0) + 1);
  return found;
}
const LEFT = counts(PAIRS.map(([a]) => a));
const RIGHT = counts(PAIRS.map(([, b]) => b));
const CELLS = counts(PAIRS.map((pair) => pair.join(' ')));

/** Chi squared, cell by cell, from what would be there if both were independent. */
const chiSquared = [...LEFT].reduce((sum, [a, left]) => {
  const row = [...RIGHT].map(([b, right]) => {
    const expected = (left * right) / N;
    return ((CELLS.get(`${a} ${b}`) ?? 0) - expected) ** 2 / expected;
  });
  return sum + row.reduce((x, y) => x + y, 0);
}, 0);
const phi = chiSquared / N;

function corrected(): number {
  const [r, k] = [LEFT.size, RIGHT.size];
  const shrunk = (size: number): number => size - (size - 1) ** 2 / (N - 1);
  const rest = Math.max(0, phi - ((r - 1) * (k - 1)) / (N - 1));
  return Math.sqrt(rest / (Math.min(shrunk(r), shrunk(k)) - 1));
}

/** How uncertain one is of what comes, in nats. */
const entropy = (of: Iterable<number>, all: number): number =>
  [...of].reduce((sum, count) => sum - (count / all) * Math.log(count / all), 0);
function entropyGiven(): number {
  return [...RIGHT].reduce((sum, [b, right]) => {
    const lefts = [...LEFT.keys()].flatMap((a) => CELLS.get(`${a} ${b}`) ?? []);
    return sum + (right / N) * entropy(lefts, right);
  }, 0);
}
const uncertainty = (entropy(LEFT.values(), N) - entropyGiven()) / entropy(LEFT.values(), N);

const FROM = `(SELECT r.1 AS a, r.2 AS b FROM (SELECT arrayJoin([${PAIRS.map(([a, b]) => `tuple('${a}', '${b}')`).join(', ')}]) AS r))`;

const associations: GoldenTable = {
  title: 'what two columns have to do with each other',
  from: FROM,
  rows: [
    ['cramersV(a, b)', Math.sqrt(phi / (Math.min(LEFT.size, RIGHT.size) - 1))],
    ['cramersV(a, a)', 1],
    [`cramersV(a, 'same')`, 0],
    ['cramersVIf(a, b, false)', null],
    ['cramersVBiasCorrected(a, b)', corrected()],
    ['cramersVBiasCorrected(a, a)', 1],
    [`cramersVBiasCorrected('x', 'y')`, 0],
    ['contingency(a, b)', Math.sqrt(chiSquared / (chiSquared + N))],
    [`contingency(a, 1)`, 0],
    ['contingencyIf(a, b, false)', null],
    ['theilsUIf(a, b, false)', null],
    ['theilsU(a, b)', uncertainty],
    ['theilsU(a, a)', 1],
    [`theilsU('x', a)`, 0],
  ],
};

const SPANS = [
  [1, 3],
  [1, 6],
  [2, 5],
  [3, 7],
] as const;
const openAt = (at: number): number => SPANS.filter(([start, end]) => start <= at && at < end).length;
const STARTS = SPANS.map(([start]) => start);
const most = Math.max(...STARTS.map(openAt));
const DAY = (day: number): string => `2026-11-${String(day).padStart(2, '0')}`;

const intersections: GoldenTable = {
  title: 'intervals that overlap',
  from: `(SELECT r.1 AS x, r.2 AS y, r.3 AS s, r.4 AS e, r.5 AS n FROM (SELECT arrayJoin([${SPANS.map(([x, y], at) => `tuple(${x}, ${y}, toDateTime('${DAY(x)} 00:00:00'), toDateTime('${DAY(y)} 00:00:00'), ${at % 2 === 0 ? 'NULL' : x})`).join(', ')}]) AS r))`,
  rows: [
    ['maxIntersections(x, y)', most],
    ['maxIntersections(s, e)', most],
    ['maxIntersections(n, y)', 2],
    ['maxIntersectionsIf(x, y, x > 9)', 0],
    ['maxIntersectionsPosition(x, y)', Math.min(...STARTS.filter((at) => openAt(at) === most))],
    ['maxIntersectionsPosition(s, e)', `${DAY(2)}T00:00:00Z`],
    ['maxIntersectionsPositionIf(x, y, x > 9)', null],
  ],
};

const WEIGHTED = [
  [10, 1],
  [20, 5],
  [30, 2],
  [40, 2],
  [50, 0],
] as const;
/** Each value as often as its weight says, and the place that a level means. */
function at(level: number): number {
  const all = WEIGHTED.flatMap(([value, weight]) => Array.from({ length: weight }, () => value as number));
  return all[Math.max(Math.ceil(level * all.length), 1) - 1]!;
}

const weights: GoldenTable = {
  title: 'quantiles by weight',
  from: `(SELECT r.1 AS x, r.2 AS w FROM (SELECT arrayJoin([${WEIGHTED.map(([x, w]) => `tuple(${x}, ${w})`).join(', ')}]) AS r))`,
  rows: [
    ...['Exact', 'Timing', 'TDigest'].flatMap((kind): [string, Expected][] => [
      [`quantile${kind}Weighted(0.9)(x, w)`, at(0.9)],
      [`quantile${kind}Weighted(0.61)(x, w)`, at(0.61)],
      [`quantile${kind}Weighted(0)(x, w)`, at(0)],
      [`quantiles${kind}Weighted(0.1, 0.6, 1)(x, w)`, [at(0.1), at(0.6), at(1)]],
      [`quantiles${kind}WeightedIf(0.5)(x, w, x > 20)`, [30]],
      [`median${kind}Weighted(x, w)`, at(0.5)],
      [`median${kind}Weighted(x, 1)`, 30],
      [`median${kind}WeightedIf(x, w, x > 100)`, null],
      [`quantiles${kind}Weighted(0.5)(x, 0)`, [null]],
    ]),
    ['quantileDeterministic(0.25)(x, w)', 20],
    ['quantileDeterministic(1)(x, w)', 50],
    ['quantilesDeterministic(0, 0.5)(x, w)', [10, 30]],
    ['quantilesDeterministic(0.75)(x, w)', [40]],
    ['medianDeterministic(x, w)', 30],
    ['medianDeterministic(-x, w)', -30],
    ['medianDeterministicIf(x, w, x > 30)', 45],
  ],
};

const SORTED = WEIGHTED.map(([value]) => value as number);
/** The first value of which so great a share lies at or before it. */
const shareAt = (values: readonly number[], level: number): number =>
  values[Math.max(Math.ceil(level * values.length), 1) - 1]!;
/** Between two values, as far as the level lies between their places. */
function between(values: readonly number[], level: number): number {
  const place = level * (values.length - 1);
  const [low, high] = [values[Math.floor(place)]!, values[Math.ceil(place)]!];
  return low + (high - low) * (place - Math.floor(place));
}
const LEVELS = [0, 0.1, 0.45, 0.5, 0.77, 1];

const percentiles: GoldenTable = {
  title: 'percentiles of standard SQL',
  from: weights.from!,
  rows: [
    ...LEVELS.flatMap((level): [string, Expected][] => [
      [`percentile_cont(${level}) WITHIN GROUP (ORDER BY x)`, between(SORTED, level)],
      [`percentile_cont(${level}) WITHIN GROUP (ORDER BY x DESC)`, between(SORTED.toReversed(), level)],
      [`percentile_disc(${level}) WITHIN GROUP (ORDER BY x)`, shareAt(SORTED, level)],
      [`percentile_disc(${level}) WITHIN GROUP (ORDER BY x DESC)`, shareAt(SORTED.toReversed(), level)],
    ]),
    ['percentile_cont(0.5)(x)', 30],
    ['percentile_discIf(0.5)(x, x > 100)', null],
  ],
};

const SETS = [
  [1, 2, 3],
  [2, 3, 4],
  [2, 3, 3, 9],
];
const timesOf = (value: number): number => SETS.filter((set) => set.includes(value)).length;
const VALUES = [...new Set(SETS.flat())];

const bitmaps: GoldenTable = {
  title: 'sets of numbers over many rows',
  from: `(SELECT arrayJoin([${SETS.map((set) => `[${set.join(', ')}]`).join(', ')}]) AS b)`,
  rows: [
    ['groupBitmapAnd(bitmapBuild(b))', VALUES.filter((value) => timesOf(value) === SETS.length).length],
    ['groupBitmapAnd(arrayMap(x -> 1, b))', 1],
    ['groupBitmapAndIf(b, has(b, 9))', 3],
    ['groupBitmapOr(b)', VALUES.length],
    ['groupBitmapOr(arrayMap(x -> 1, b))', 1],
    ['groupBitmapOrIf(b, false)', 0],
    ['groupBitmapXor(b)', VALUES.filter((value) => timesOf(value) % 2 === 1).length],
    ['groupBitmapXor(arrayMap(x -> 1, b))', 1],
    ['groupBitmapXorIf(b, NOT has(b, 9))', 2],
    ['arraySort(bitmapTransform(any([1, 2, 3]), [2, 3], [20, 1]))', [1, 20]],
  ],
};

/** The contents of person sets are tested through retention, which counts them. */
const persons: GoldenTable = {
  title: 'sets of persons, of nobody',
  from: 'persons',
  rows: [
    ['personSet(id) IS NULL', 1],
    ['personSet(id) IS NOT NULL', 0],
    ['personNumber(any(id)) IS NULL', 1],
    ['personNumber(any(id)) IS NOT NULL', 0],
    ['personsInBoth(personSet(id), personSet(id))', 0],
    ['personsInBoth(personSet(id), personSetIf(id, false))', 0],
  ],
};

export const associatedTables: readonly GoldenTable[] = [
  associations,
  intersections,
  weights,
  percentiles,
  bitmaps,
  persons,
];
