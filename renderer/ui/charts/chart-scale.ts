import { scaleLinear } from 'd3-scale';
import { area, line, stack, stackOffsetDiverging, stackOffsetNone } from 'd3-shape';

/** Numbers of a chart as places in its plot, and as they are written. */

/** One line, area or row of bars. */
export interface ChartSeries {
  id: string;
  name: string;
  values: readonly number[];
  /** Which of the eight colors and dashes, from 1; 0 is the gray of all others. */
  slot: number;
  /** What a comparison holds against the series with this id. */
  previousOf?: string | undefined;
  /** The labels of its own places, where they are not those of the chart. */
  places?: readonly string[] | undefined;
  /** The number beside its name in the legend: of the whole range; absent where none has a meaning. */
  total?: number | undefined;
}

/** Whether a series has a number at a place: a compared period can be shorter than the chart. */
export function hasPlace({ previousOf, values }: ChartSeries, index: number): boolean {
  return previousOf === undefined || index < values.length;
}

/** A value that is to be reached. */
export interface GoalLine {
  label: string;
  value: number;
}

/** How the values of an interval are distributed. */
export interface BoxValues {
  min: number;
  p25: number;
  median: number;
  p75: number;
  max: number;
  mean: number;
  /** How many values; the others are zero where there is none. */
  count: number;
}

export type ChartShape = 'line' | 'area' | 'bar' | 'grouped';

export interface Scale {
  low: number;
  high: number;
  ticks: number[];
  /** Powers of ten at equal distances; what is not above zero has no place. */
  isLog?: boolean;
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** A scale from 0 (or below) to a round number over the largest, in `count` steps at most. */
export function scaleOf(values: readonly number[], count = 5): Scale {
  // A call takes some 100,000 arguments, and a chart may have more values.
  const low = values.reduce((least, value) => Math.min(least, value), 0);
  const high = values.reduce((most, value) => Math.max(most, value), 0);
  if (high - low < 1e-300) return { low: 0, high: 1, ticks: [0, 1] };
  for (let wanted = count; ; wanted -= 1) {
    const nice = scaleLinear().domain([low, high]).nice(wanted);
    const ticks = nice.ticks(wanted);
    // d3 uses the count as a hint: with too many ticks, a few events would be counted in halves.
    if (ticks.length <= count + 1 || wanted === 1)
      return { low: nice.domain()[0]!, high: nice.domain()[1]!, ticks };
  }
}

/** A logarithmic scale between the powers of ten around all values above zero; an even one where there is none. */
export function logScaleOf(values: readonly number[]): Scale {
  const above = values.filter((value) => value > 0);
  if (above.length === 0) return scaleOf([]);
  const low = Math.floor(Math.log10(above.reduce((least, value) => Math.min(least, value))));
  const high = Math.ceil(Math.log10(above.reduce((most, value) => Math.max(most, value))));
  const count = Math.max(1, high - low);
  const ticks = Array.from({ length: count + 1 }, (_, at) => 10 ** (low + at));
  return { low: ticks[0]!, high: ticks.at(-1)!, ticks, isLog: true };
}

/** The distance of a value from the top of the plot, in percent. */
export function topOf(value: number, { low, high, isLog = false }: Scale): number {
  if (!isLog) return ((high - value) / (high - low)) * 100;
  const whole = Math.log10(high) - Math.log10(low);
  return value <= low ? 100 : ((Math.log10(high) - Math.log10(value)) / whole) * 100;
}

/** How far right the place of an index is, in percent: points at both edges, bars in the middle of their share. */
export function leftOf(index: number, count: number, shape: ChartShape): number {
  if (shape === 'bar' || shape === 'grouped' || count === 1) return ((index + 0.5) / count) * 100;
  return (index / (count - 1)) * 100;
}

/** The path through all points in a box of 1000 by 100. */
export function linePath(values: readonly number[], scale: Scale): string {
  return lineParts(values, scale, null).finished;
}

/**
 * The path through the points before `from`, the first unfinished interval, and the path from the last of them on. A line
 * whose intervals are all unfinished is drawn so as a whole. `count`: the places of the chart, of which a line can have
 * fewer.
 */
export function lineParts(
  values: readonly number[],
  scale: Scale,
  from: number | null,
  count = values.length,
): { finished: string; unfinished: string } {
  const path = line<Point>()
    // A logarithmic axis has no zero: a gap.
    .defined(({ value }) => !scale.isLog || value > 0)
    .x(({ x }) => x)
    .y(({ value }) => topOf(value, scale))
    .digits(2);
  return partsOf(pointsOf(values, count), from, (points) => path(points) ?? '');
}

/** The area between a line and another one below it, or zero. */
export function areaPath(values: readonly number[], scale: Scale, below: readonly number[] = []): string {
  return areaParts(values, scale, { from: null, below }).finished;
}

/** The area in two parts, cut where the line above it is. */
export function areaParts(
  values: readonly number[],
  scale: Scale,
  { from, below = [] }: { from: number | null; below?: readonly number[] },
): { finished: string; unfinished: string } {
  const path = area<Point>()
    .x(({ x }) => x)
    .y0(({ index }) => topOf(below[index] ?? 0, scale))
    .y1(({ value }) => topOf(value, scale))
    .digits(2);
  return partsOf(pointsOf(values), from, (points) => (points.length < 2 ? '' : (path(points) ?? '')));
}

interface Point {
  index: number;
  x: number;
  value: number;
}

function pointsOf(values: readonly number[], count = values.length): Point[] {
  return values.map((value, index) => ({ index, x: leftOf(index, count, 'line') * 10, value }));
}

function partsOf(
  points: readonly Point[],
  from: number | null,
  pathOf: (points: Point[]) => string,
): { finished: string; unfinished: string } {
  if (from === null || from >= points.length) return { finished: pathOf([...points]), unfinished: '' };
  return { finished: pathOf(points.slice(0, from)), unfinished: pathOf(points.slice(Math.max(0, from - 1))) };
}

/** From where to where the value of a series is drawn. */
export type Extent = readonly [low: number, high: number];

/** The extents of each series by index: areas and bars stand on one another, bars below zero hang, others begin at zero. */
export function layersOf(series: readonly ChartSeries[], shape: ChartShape): Extent[][] {
  if (shape !== 'area' && shape !== 'bar')
    return series.map(({ values }) => values.map((value) => [Math.min(0, value), Math.max(0, value)]));
  const count = series[0]?.values.length ?? 0;
  return stack<number, ChartSeries>()
    .keys(series)
    .value((index, { values }) => values[index] ?? 0)
    .offset(shape === 'area' ? stackOffsetNone : stackOffsetDiverging)(
      Array.from({ length: count }, (_, index) => index),
    )
    .map((layer) => layer.map(([low, high]): Extent => [low, high]));
}

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
  const layers = layersOf(series, isGrouped ? 'grouped' : 'bar');
  const count = series[0]?.values.length ?? 0;
  const share = 1000 / Math.max(1, count);
  const inner = share * 0.72;
  const width = isGrouped ? inner / series.length : inner;
  return Array.from({ length: count }, (_, index) =>
    series.map(({ id, slot }, place) => {
      const [low, high] = layers[place]![index] ?? [0, 0];
      const [top, foot] = [topOf(high, scale), topOf(low, scale)];
      const x = index * share + (share - inner) / 2 + (isGrouped ? place * width : 0);
      return { id, slot, index, x: round(x), y: round(top), width: round(width), height: round(foot - top) };
    }),
  ).flat();
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Series as they are drawn on one another: the largest at the bottom, the gray rest on top. */
export function inStackOrder(series: readonly ChartSeries[]): ChartSeries[] {
  const sizeOf = ({ values }: ChartSeries): number => values.reduce((sum, value) => sum + Math.abs(value), 0);
  return series.toSorted((a, b) => Number(a.slot === 0) - Number(b.slot === 0) || sizeOf(b) - sizeOf(a));
}

/** The values that a scale has to hold. */
export function extentOf(series: readonly ChartSeries[], shape: ChartShape): number[] {
  return layersOf(series, shape).flat(2);
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

/** A number of an axis: `500`, `12k`; beside a large one `8k` too. */
export function formatTick(value: number, largest = value): string {
  const isShort = Math.max(Math.abs(value), Math.abs(largest)) >= 10_000 && Math.abs(value) >= 1000;
  return isShort ? COMPACT.format(value).replace('K', 'k') : NUMBER.format(value);
}

/** What a number became against another: `5%`, `∞` is none; `null` where there was nothing to compare with. */
export function changeOf(now: number, before: number): number | null {
  return before === 0 ? null : (now - before) / Math.abs(before);
}

/** A share of one in percent: `26.6%`. */
export function formatPercent(share: number): string {
  return `${NUMBER.format(Math.round(share * 1000) / 10)}%`;
}
