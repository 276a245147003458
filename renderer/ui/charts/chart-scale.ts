/** Numbers of a chart as places in its plot, and as they are written. */

/** One line, area or row of bars. */
export interface ChartSeries {
  id: string;
  name: string;
  values: readonly number[];
  /** Which of the eight colours and dashes, from 1. */
  slot: number;
  /** What a comparison holds against the series with this id. */
  previousOf?: string | undefined;
}

export type ChartShape = 'line' | 'area' | 'bar' | 'grouped';

export interface Scale {
  low: number;
  high: number;
  ticks: number[];
}

const STEPS = [1, 2, 2.5, 5, 10];
const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** A scale from 0 (or below) to a round number over the largest, in about `count` steps. */
export function scaleOf(values: readonly number[], count = 5): Scale {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const least = values.reduce((most, value) => Math.min(most, value), 0);
  const span = largest - least;
  if (span < 1e-300) return { low: 0, high: 1, ticks: [0, 1] };
  const magnitude = 10 ** Math.floor(Math.log10(span / count));
  const step = (STEPS.find((one) => one * magnitude * count >= span * 0.999_999) ?? 10) * magnitude;
  const [first, last] = [Math.floor(least / step), Math.max(1, Math.ceil(largest / step - 1e-9))];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => rounded((first + at) * step));
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks };
}

/** 0.30000000000000004 is meant as 0.3. */
function rounded(value: number): number {
  return Number(value.toPrecision(12));
}

/** How far down the plot a value stands, in percent. */
export function topOf(value: number, { low, high }: Scale): number {
  return ((high - value) / (high - low)) * 100;
}

/** How far right the place of an index is, in percent: points at both edges, bars in the middle of their share. */
export function leftOf(index: number, count: number, shape: ChartShape): number {
  if (shape === 'bar' || shape === 'grouped' || count === 1) return ((index + 0.5) / count) * 100;
  return (index / (count - 1)) * 100;
}

/** The path through all points in a box of 1000 by 100. */
export function linePath(values: readonly number[], scale: Scale, shape: ChartShape = 'line'): string {
  return pathOf(pointsOf(values, scale, shape));
}

/**
 * The path through the points before `from`, where the first interval that is not over stands, and the one from the last
 * of them on; a line whose intervals are all unfinished is drawn so as a whole.
 */
export function lineParts(
  values: readonly number[],
  scale: Scale,
  from: number | null,
): { finished: string; unfinished: string } {
  const points = pointsOf(values, scale, 'line');
  if (from === null || from >= points.length) return { finished: pathOf(points), unfinished: '' };
  return { finished: pathOf(points.slice(0, from)), unfinished: pathOf(points.slice(Math.max(0, from - 1))) };
}

function pointsOf(values: readonly number[], scale: Scale, shape: ChartShape): string[] {
  return values.map(
    (value, index) => `${round(leftOf(index, values.length, shape) * 10)} ${round(topOf(value, scale))}`,
  );
}

function pathOf(points: readonly string[]): string {
  return points.map((point, index) => `${index === 0 ? 'M' : 'L'}${point}`).join('');
}

/** The area between two lines, of which the lower one is without values that of zero. */
export function areaPath(values: readonly number[], scale: Scale, below: readonly number[] = []): string {
  return areaParts(values, scale, { from: null, below }).finished;
}

/** The area in two parts, cut where the line above it is. */
export function areaParts(
  values: readonly number[],
  scale: Scale,
  { from, below = [] }: { from: number | null; below?: readonly number[] | undefined },
): { finished: string; unfinished: string } {
  const upper = pointsOf(values, scale, 'area');
  const lower = pointsOf(
    values.map((_, index) => below[index] ?? 0),
    scale,
    'area',
  );
  const between = (start: number, end: number): string => {
    const back = lower.slice(start, end).toReversed();
    return end - start < 2
      ? ''
      : `${pathOf(upper.slice(start, end))}${back.map((point) => `L${point}`).join('')}Z`;
  };
  if (from === null || from >= values.length) return { finished: between(0, values.length), unfinished: '' };
  return { finished: between(0, from), unfinished: between(Math.max(0, from - 1), values.length) };
}

/** Where each series ends when they stand on one another: its values and those of all before it. */
export function stackOf(series: readonly ChartSeries[]): number[][] {
  const sums: number[][] = [];
  for (const { values } of series) {
    const below = sums.at(-1);
    sums.push(values.map((value, index) => value + (below?.[index] ?? 0)));
  }
  return sums;
}

const round = (value: number): number => Math.round(value * 100) / 100;

export interface Bar {
  id: string;
  slot: number;
  index: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The bars of all series in a box of 1000 by 100: on top of one another (what is below zero hangs), or beside each other. */
export function barsOf(series: readonly ChartSeries[], scale: Scale, isGrouped: boolean): Bar[] {
  const count = series[0]?.values.length ?? 0;
  const share = 1000 / Math.max(1, count);
  const inner = share * 0.72;
  return Array.from({ length: count }, (_, index) => {
    let [above, below] = [0, 0];
    return series.map(({ id, slot, values }, place) => {
      const value = values[index] ?? 0;
      const base = isGrouped ? 0 : value < 0 ? below : above;
      if (value < 0) below += value;
      else above += value;
      const [top, foot] = [
        topOf(Math.max(base, base + value), scale),
        topOf(Math.min(base, base + value), scale),
      ];
      const width = isGrouped ? inner / series.length : inner;
      const x = index * share + (share - inner) / 2 + (isGrouped ? place * width : 0);
      return { id, slot, index, x: round(x), y: round(top), width: round(width), height: round(foot - top) };
    });
  }).flat();
}

/** The values that a scale has to hold: sums where bars or areas stand on one another. */
export function extentOf(series: readonly ChartSeries[], shape: ChartShape): number[] {
  if (shape === 'area') return stackOf(series).flat();
  if (shape !== 'bar') return series.flatMap(({ values }) => [...values]);
  const count = series[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const values = series.map((one) => one.values[index] ?? 0);
    return [
      values.filter((value) => value > 0).reduce((sum, value) => sum + value, 0),
      values.filter((value) => value < 0).reduce((sum, value) => sum + value, 0),
    ];
  }).flat();
}

/** Tops of labels in percent, moved apart so that each keeps `gap` percent for itself; in the order that they came in. */
export function spread(tops: readonly number[], gap: number): number[] {
  const order = tops.map((top, index) => ({ top, index })).toSorted((a, b) => a.top - b.top);
  order.forEach((label, at) => {
    const before = order[at - 1];
    if (before && label.top < before.top + gap) label.top = before.top + gap;
  });
  for (let at = order.length - 1; at >= 0; at -= 1) {
    const most = at === order.length - 1 ? 100 : order[at + 1]!.top - gap;
    order[at]!.top = Math.min(order[at]!.top, Math.max(0, most));
  }
  return order.toSorted((a, b) => a.index - b.index).map(({ top }) => top);
}

/** Which of `count` places get a word, when there is room for `most`: the first, the last, and some between. */
export function labelled(count: number, most: number): number[] {
  const every = Math.max(1, Math.ceil((count - 1) / Math.max(1, most - 1)));
  return Array.from({ length: count }, (_, index) => index).filter((index) => index % every === 0);
}

/** A number in full: `1,234.5`. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** A number of an axis: `500`, `12K`. */
export function formatTick(value: number): string {
  return Math.abs(value) >= 10_000 ? COMPACT.format(value) : NUMBER.format(value);
}

/** What a number became against another: `5%`, `∞` is none; `null` where there was nothing to compare with. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / Math.abs(before);
}

/** A share of one in percent: `26.6%`. */
export function formatPercent(share: number): string {
  return `${NUMBER.format(Math.round(share * 1000) / 10)}%`;
}
