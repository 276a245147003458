import { hasPlace, type ChartSeries } from './chart-scale.ts';
import type { ValueFormat } from './value-format.ts';

/** What the tooltip of a chart says at one place: all series, the largest first. */
export interface Tip {
  /** Where: the exact date. */
  head: string;
  /** What it is compared with, or the unit. */
  aside: string;
  rows: TipRow[];
  /** How many series are not listed. */
  more: number;
  total: { value: string; change: string | null } | null;
  /** What a reader has to be aware of, and what a click does. */
  feet: string[];
  notes: string[];
}

export interface TipRow {
  id: string;
  name: string;
  slot: number;
  value: string;
  /** With its sign; `null` for none. */
  change: string | null;
  isHeld: boolean;
  /** Of the compared period. */
  isPrevious: boolean;
}

export interface TipSource {
  index: number;
  series: readonly ChartSeries[];
  heldId: string | null;
  label: string;
  format: ValueFormat;
  /** What is counted: `events`; empty where the format says it. */
  noun: string;
  previousName: string;
  /** Whether the numbers of all series can be added up. */
  canAddUp: boolean;
  isUnfinished: boolean;
  /** What a click does; empty for nothing. */
  action: string;
  notes: readonly string[];
}

/** Rows beyond this would be taller than a chart. */
const MOST_ROWS = 14;

/** The tooltip at a place. One series and its comparison are two rows with their dates; several have a column of changes. */
export function tipAt(source: TipSource): Tip {
  const { index, series, format, noun, previousName, notes } = source;
  const label = asTitle(source.label);
  const here = series.filter((one) => hasPlace(one, index));
  const current = here.filter(({ previousOf }) => previousOf === undefined);
  const previous = new Map(here.flatMap((one) => (one.previousOf ? [[one.previousOf, one] as const] : [])));
  const hasPrevious = previous.size > 0;
  const ranked = current.toSorted((a, b) => valueAt(b, index) - valueAt(a, index));
  const listed = withHeld(ranked, source.heldId);
  const changeOf = (one: ChartSeries): string | null => {
    const before = previous.get(one.id);
    return before ? format.change(valueAt(one, index), valueAt(before, index)) : null;
  };
  const rows = listed.map((one): TipRow => ({
    id: one.id,
    name: one.name,
    slot: one.slot,
    value: format.full(valueAt(one, index)),
    change: changeOf(one),
    isHeld: current.length > 1 && one.id === source.heldId,
    isPrevious: false,
  }));
  const [only] = current;
  const before = current.length === 1 && only ? previous.get(only.id) : undefined;
  if (before && rows[0]) {
    rows.push({
      ...rows[0],
      id: before.id,
      name: asTitle(before.places?.[index] ?? previousName),
      value: format.full(valueAt(before, index)),
      change: null,
      isPrevious: true,
    });
    rows[0].name = label;
  }
  // The dates of all compared series are the same unless a period is shorter.
  const [compared] = previous.values();
  const comparedWith = compared?.places?.[index] ?? previousName;
  return {
    head: before ? only!.name : label,
    aside: hasPrevious ? `vs. ${before ? previousName : comparedWith}` : noun,
    rows,
    more: ranked.length - listed.length,
    total: source.canAddUp && current.length > 1 ? totalAt(source, current, previous) : null,
    feet: [source.isUnfinished ? 'This interval is still in progress.' : '', source.action].filter(Boolean),
    notes: [...notes],
  };
}

/** As many as have room, and the held one in any case. */
function withHeld(ranked: readonly ChartSeries[], heldId: string | null): ChartSeries[] {
  const listed = ranked.slice(0, MOST_ROWS);
  const held = ranked.find(({ id }) => id === heldId);
  return held === undefined || listed.includes(held) ? listed : [...listed.slice(0, -1), held];
}

function totalAt(
  { index, format, noun }: TipSource,
  current: readonly ChartSeries[],
  previous: ReadonlyMap<string, ChartSeries>,
): Tip['total'] {
  const sum = current.reduce((total, one) => total + valueAt(one, index), 0);
  const before = [...previous.values()].reduce((total, one) => total + valueAt(one, index), 0);
  const value = noun === '' ? format.full(sum) : `${format.full(sum)} ${noun}`;
  return { value, change: previous.size > 0 ? format.change(sum, before) : null };
}

/** `the week of 9 Nov` begins no line. */
function asTitle(text: string): string {
  const bare = text.replace(/^the /, '');
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}

function valueAt({ values }: ChartSeries, index: number): number {
  return values[index] ?? 0;
}
