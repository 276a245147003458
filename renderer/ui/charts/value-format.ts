import { formatDuration } from '../format.ts';
import { changeOf, formatNumber, formatPercent, formatTick } from './chart-scale.ts';

/** How the numbers of one axis are written: short beside the axis, full in tooltips and tables. */
export interface ValueFormat {
  /** `largest`: of the axis, so that all its numbers are written in the same way. */
  tick(value: number, largest?: number): string;
  full(value: number): string;
  /** What a number became, with its sign: `+6.3%`, of rates `+0.4 pp`; `null` where there was nothing to compare with. */
  change(now: number, before: number): string | null;
}

/** The settings of an axis, as `trendsFilter` stores them. */
export interface AxisSettings {
  /** `numeric`, `duration` (seconds), `duration_ms`, `percentage`, `percentage_scaled` (shares of one) or `currency`. */
  format?: string | null | undefined;
  /** Before the number; of a currency its symbol or its code. */
  prefix?: string | null | undefined;
  postfix?: string | null | undefined;
  /** The most decimals of a number. */
  decimals?: number | null | undefined;
  /** The fewest decimals of a number. */
  minDecimals?: number | null | undefined;
}

const DEFAULT_CURRENCY = '$';
const MOST_DECIMALS = 10;
const MINUS = '−';

/** Numbers without settings. */
export const PLAIN: ValueFormat = valueFormat({});
/** Percent from 0 to 100. */
export const PERCENT: ValueFormat = valueFormat({ format: 'percentage', decimals: 1 });

/** The format of an axis with these settings. */
export function valueFormat(settings: AxisSettings): ValueFormat {
  const { format = 'numeric', prefix, postfix } = settings;
  const write = writerOf(settings);
  const before = format === 'currency' ? prefix || DEFAULT_CURRENCY : (prefix ?? '');
  // The code of a currency, unlike its symbol, is a word.
  const gap = /^[A-Z]{3}$/.test(before) ? ' ' : '';
  const around = (text: string, value: number): string =>
    `${value < 0 ? MINUS : ''}${before}${gap}${text}${postfix ?? ''}`;
  return {
    tick: (value, largest = value) => around(write(Math.abs(value), Math.abs(largest)), value),
    full: (value) => around(write(Math.abs(value), null), value),
    change: (now, then) =>
      format === 'percentage' || format === 'percentage_scaled'
        ? signed((now - then) * (format === 'percentage' ? 1 : 100), (points) => `${formatNumber(points)} pp`)
        : changeText(changeOf(now, then)),
  };
}

/** A change of a share of one, with its sign: `+6.3%`; `null` for none. */
function changeText(change: number | null): string | null {
  return change === null ? null : signed(change, formatPercent);
}

function signed(value: number, write: (size: number) => string): string {
  const text = write(Math.round(Math.abs(value) * 1e4) / 1e4);
  return value === 0 ? text : `${value > 0 ? '+' : MINUS}${text}`;
}

function writerOf({
  format,
  decimals,
  minDecimals,
}: AxisSettings): (size: number, largest: number | null) => string {
  const usual = format === 'currency' ? 2 : null;
  const most = clamp(decimals ?? usual);
  const least = clamp(minDecimals ?? usual) ?? 0;
  const number = new Intl.NumberFormat('en', {
    maximumFractionDigits: Math.max(most ?? 2, least),
    minimumFractionDigits: least,
  });
  const isSet = decimals !== null && decimals !== undefined;
  const plain = (size: number, largest: number | null): string =>
    largest !== null && (!isSet || size >= 1000) ? formatTick(size, largest) : number.format(size);
  switch (format) {
    case 'duration':
      return (size, largest) => durationText(size * 1000, largest !== null);
    case 'duration_ms':
      return (size, largest) => durationText(size, largest !== null);
    case 'percentage':
      return (size) => `${number.format(size)}%`;
    case 'percentage_scaled':
      return (size) => `${number.format(size * 100)}%`;
    default:
      return plain;
  }
}

/** A length of time in its largest unit, and in full with the next one too: `3 h`, `3 h 12 min`. */
function durationText(milliseconds: number, isShort: boolean): string {
  const unit = UNITS.find(([, size]) => milliseconds >= size);
  if (isShort || unit === undefined) return milliseconds === 0 ? '0' : formatDuration(milliseconds);
  const [name, size, nextName, nextSize] = unit;
  const whole = Math.floor(milliseconds / size);
  const rest = Math.round((milliseconds - whole * size) / nextSize);
  return rest === 0 ? `${formatNumber(whole)} ${name}` : `${formatNumber(whole)} ${name} ${rest} ${nextName}`;
}

const UNITS = [
  ['d', 86_400_000, 'h', 3_600_000],
  ['h', 3_600_000, 'min', 60_000],
  ['min', 60_000, 's', 1000],
] as const;

function clamp(decimals: number | null | undefined): number | null {
  return typeof decimals === 'number' ? Math.min(MOST_DECIMALS, Math.max(0, Math.trunc(decimals))) : null;
}
