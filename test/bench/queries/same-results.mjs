// @ts-check
/** What engines answer, brought to one form: an engine that is fast and wrong is no engine to compare with. */

const WEEK_MS = 7 * 86_400_000;

/**
 * Days with a number; days with a value and a number; numbers of a funnel's steps; numbers by two weeks.
 * @typedef {'trend' | 'breakdown' | 'funnel' | 'retention'} Shape
 */

/** @typedef {any[][]} Rows */

/** Of rows as SQL written by hand has them. @type {Record<Shape, (rows: Rows) => unknown[]>} */
const BY_HAND = {
  trend: (rows) => byTexts(rows, 0).map((row) => Number(row[1])),
  breakdown: (rows) => byTexts(rows, 1, 0).map((row) => [row[1], Number(row[2])]),
  funnel: ([row]) => (row ?? []).map(Number),
  retention: (rows) => {
    const weeks = placesOf(rows.map(([begun]) => dayOf(begun)));
    return inOrder(
      rows.map(([begun, seen, count]) => [
        weeks(dayOf(begun)),
        (dayOf(seen) - dayOf(begun)) / WEEK_MS,
        Number(count),
      ]),
    );
  },
};

/** Of rows as the statements that Burrow prints have them. @type {typeof BY_HAND} */
const PRINTED = {
  trend: (rows) => inOrder(rows.map((row) => row.map(Number))).map(([, count]) => count),
  breakdown: (rows) =>
    byTexts(rows, 0).flatMap(([value, days, counts]) =>
      inOrder(pairs(days, counts)).map(([, count]) => [value, count]),
    ),
  funnel: ([row]) => [row?.[0], row?.[1], row?.[4]].map(Number),
  retention: (rows) => {
    const weeks = placesOf(rows.map(([start]) => Number(start)));
    return inOrder(
      rows.flatMap(([start, places, counts]) =>
        pairs(places, counts).map((pair) => [weeks(Number(start)), ...pair]),
      ),
    );
  },
};

/** ClickHouse returns how many persons ended at each step. @type {typeof BY_HAND} */
const CLICKHOUSE = {
  ...BY_HAND,
  funnel: (rows) =>
    [1, 2, 3].map((step) =>
      rows.reduce((sum, [level, count]) => sum + (Number(level) >= step ? Number(count) : 0), 0),
    ),
};

const FORMS = { printed: PRINTED, hand: BY_HAND, clickhouse: CLICKHOUSE, postgres: BY_HAND };

/** @typedef {keyof typeof FORMS} EngineName */

/**
 * Throws unless all engines have answered a question alike.
 * @param {{ name: string, shape: Shape }} question
 * @param {[name: EngineName, rows: Rows][]} answers
 */
export function demandSameResults({ name, shape }, answers) {
  const told = answers.map(([engine, rows]) => ({
    engine,
    text: JSON.stringify(FORMS[engine][shape](rows)),
  }));
  const [first] = told;
  if (first === undefined || first.text === '[]') throw new Error(`${name}: nothing was found.`);
  for (const { engine, text } of told) {
    if (text === first.text) continue;
    const shown = (/** @type {string} */ whole) => whole.slice(0, 200);
    throw new Error(`${name}: ${engine} says ${shown(text)}, ${first.engine} ${shown(first.text)}.`);
  }
}

/** The Unix milliseconds at which a day begins in UTC, with or without a time behind it. @param {unknown} text */
function dayOf(text) {
  return Date.parse(String(text).slice(0, 10));
}

/** Rows in order of some of their columns, as texts. @param {Rows} rows @param {number[]} columns */
function byTexts(rows, ...columns) {
  const key = (/** @type {any[]} */ row) => columns.map((column) => String(row[column])).join('\t');
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** @param {number[][]} rows */
function inOrder(rows) {
  return rows.toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0));
}

/** @param {any[]} places @param {any[]} counts */
function pairs(places, counts) {
  return places.map((place, at) => [Number(place), Number(counts[at])]);
}

/** The place of a value among all different ones. @param {number[]} values */
function placesOf(values) {
  const all = [...new Set(values)].toSorted((a, b) => a - b);
  return (/** @type {number} */ value) => all.indexOf(value);
}
