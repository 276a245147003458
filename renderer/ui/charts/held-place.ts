import {
  barsOf,
  changeOf,
  layersOf,
  topOf,
  type ChartSeries,
  type ChartShape,
  type Scale,
} from './chart-scale.ts';
import { PLAIN, type ValueFormat } from './value-format.ts';

/** The hovered point of a chart: its index and its series. */
export interface HeldPlace {
  index: number;
  id: string;
}

/** Which place lies under a point of the plot, given in shares of its box from 0 to 1. */
export function indexAt(share: number, count: number, shape: ChartShape): number {
  const isBars = shape === 'bar' || shape === 'grouped';
  const place = isBars || count === 1 ? Math.floor(share * count) : Math.round(share * (count - 1));
  return Math.min(count - 1, Math.max(0, place));
}

/** The series that lies nearest to a height, in percent from the top, at a place. */
export function seriesAt(
  top: number,
  index: number,
  { series, scale, shape }: { series: readonly ChartSeries[]; scale: Scale; shape: ChartShape },
): string {
  if (shape === 'bar' || shape === 'grouped') {
    const here = barsOf(series, scale, shape === 'grouped').filter(
      (bar) => bar.index === index && bar.height > 0,
    );
    const hit = here.find(({ y, height }) => top >= y && top <= y + height);
    return (hit ?? here.at(-1))?.id ?? series[0]!.id;
  }
  const tops = topsAt(series, index, scale, shape);
  const distance = (at: number) => Math.abs(tops[at]! - top);
  const nearest = series.map((_, at) => at).toSorted((a, b) => distance(a) - distance(b))[0]!;
  return series[nearest]!.id;
}

/** The distance of each series from the top at a point, in percent. */
export function topsAt(
  series: readonly ChartSeries[],
  index: number,
  scale: Scale,
  shape: ChartShape,
): number[] {
  const layers = shape === 'area' ? layersOf(series, shape) : [];
  return series.map(({ values }, at) => topOf(layers[at]?.[index]?.[1] ?? values[index] ?? 0, scale));
}

/** What a number became against the one before, in words: `12% more than 7 days before (400)`; empty without one. */
export function comparisonLabel(
  value: number,
  before: number | undefined,
  previousName: string,
  format: ValueFormat = PLAIN,
): string {
  if (before === undefined) return '';
  const change = changeOf(value, before);
  if (value === before) return `same as ${previousName}`;
  const size = change === null ? null : format.change(value, before)?.slice(1);
  if (size === null || size === undefined) return `${previousName}: ${format.full(before)}`;
  return `${size} ${value > before ? 'more' : 'less'} than ${previousName} (${format.full(before)})`;
}
