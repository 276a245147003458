import type { ChartSeries, ChartShape } from '../../ui/charts/chart-scale.ts';
import { colorSlots, REST } from '../../ui/charts/series-colors.ts';
import { dayLabel } from '../../ui/dates/day-labels.ts';
import { letterOf, type InsightQuery } from '../insight-query.ts';
import type { PickedPoint } from '../answer.ts';
import { ownLooks, type ResultKeys } from '../own-colors.ts';
import type { LineOptions } from './lines.ts';
import { addsUp, nounOfMath, shortMath } from './maths.ts';

/** A series as the server sends it (management contract 9.9). */
export interface SeriesAnswer {
  label: string;
  data: number[];
  days?: (string | number)[];
  labels?: string[];
  count: number;
  aggregated_value?: number | null;
  /** The node of its series; null of a formula. */
  action?: SeriesAction | null;
  order?: number;
  breakdown_value?: unknown;
  /** The name of a formula's cohort. */
  breakdown_label?: string;
  compare_label?: 'current' | 'previous';
  status?: string;
}

interface SeriesAction {
  order?: number;
  name?: string | null;
  custom_name?: string | null;
  math?: string | null;
  math_property?: string | null;
}

/** One line of a result: its series and breakdown value, its numbers, and those of the previous period. */
export interface TrendLine {
  id: string;
  name: string;
  /** The place of its series in the query. */
  order: number;
  breakdown: unknown;
  status: string | undefined;
  /** Its color: of its value, or of its name where there is none. */
  slot: number;
  /** The color that was chosen for it; left out: the usual one. */
  ownSlot?: number | null;
  values: number[];
  total: number;
  /** Whether its numbers can be added up to `total`: those of unique persons, of means and of formulas cannot. */
  hasTotal: boolean;
  /** What is counted: `events`. */
  noun: string;
  before: { values: number[]; total: number; days: (string | number)[] } | null;
  days: (string | number)[];
  /** How the query names it where it sets a color for it. */
  keys: ResultKeys;
}

/** The labels of a place in time. */
export interface Place {
  long: string;
  short: string;
}

const OTHER_VALUE = '$$_posthog_breakdown_other_$$';

const OTHERS: Readonly<Record<string, string>> = {
  [OTHER_VALUE]: 'Other',
  $$_posthog_breakdown_null_$$: '(none)',
  '["",""]': '(none)',
};

/** The statuses of a lifecycle, the only words for them, and their colors. */
const STATUSES: Readonly<Record<string, { name: string; slot: number }>> = {
  new: { name: 'New', slot: 1 },
  returning: { name: 'Returning', slot: 3 },
  resurrecting: { name: 'Resurrecting', slot: 5 },
  dormant: { name: 'Dormant', slot: 2 },
};

/** The lines of a result, each with the numbers of its previous period; then those that only the previous period has. */
export function trendLines(results: unknown): TrendLine[] {
  const answers = (Array.isArray(results) ? results : []) as SeriesAnswer[];
  const current = answers.filter((one) => one.compare_label !== 'previous');
  const previous = new Map(
    answers.filter((one) => one.compare_label === 'previous').map((one) => [keyOf(one), one]),
  );
  const keys = new Set(current.map(keyOf));
  const gone = [...previous]
    .filter(([key]) => !keys.has(key))
    .map(([, one]) => withoutNumbers(one, current[0]));
  const all = [...current, ...gone];
  const bases = baseNames(all);
  const slots = slotsOf(all, bases);
  const positions = new Map(answers.map((one, at) => [one, at]));
  return all.map((one, place) => {
    const before = previous.get(keyOf(one));
    return {
      id: `${place} ${keyOf(one)}`,
      name: wordsOf(one, bases.get(orderOf(one))),
      order: orderOf(one),
      breakdown: one.breakdown_value,
      status: one.status,
      slot: slots[place]!,
      values: one.data ?? [],
      total: one.aggregated_value ?? one.count ?? 0,
      hasTotal: one.aggregated_value != null || hasSum(one),
      noun: one.action === null ? '' : one.status ? 'persons' : nounOfMath(one.action?.math),
      before: before
        ? {
            values: before.data ?? [],
            total: before.aggregated_value ?? before.count ?? 0,
            days: before.days ?? [],
          }
        : null,
      days: one.days ?? [],
      keys: keysOf(one, positions.get(one) ?? place),
    };
  });
}

/** As PostHog names a result in the settings of an insight. */
function keysOf(
  { action, breakdown_value: values, compare_label }: SeriesAnswer,
  position: number,
): ResultKeys {
  const formula = position > 0 ? `formula${position + 1}` : 'formula';
  const value = {
    series: action?.order ?? formula,
    breakdown_value: values === undefined ? undefined : [values].flat(),
    compare_label,
  };
  return { value: JSON.stringify(value), position: String(position) };
}

function orderOf({ action, order }: SeriesAnswer): number {
  return action?.order ?? order ?? 0;
}

/** Persons can have a status in several intervals, and a formula is no sum of its own numbers. */
function hasSum({ status, action }: SeriesAnswer): boolean {
  return status === undefined && action !== null && addsUp(action?.math);
}

/**
 * The names of series by their order: their own, else event and math (`search performed, p90`). Where two would be the
 * same, the property of the math says more, and then their letters.
 */
function baseNames(answers: readonly SeriesAnswer[]): Map<number, string> {
  const actions = new Map(
    answers.flatMap((one) => (one.action?.name == null ? [] : [[orderOf(one), one.action] as const])),
  );
  const ways: ((action: SeriesAction, order: number) => string)[] = [
    (action) => named(action, shortMath(action.math)),
    (action) => named(action, shortMath(action.math, action.math_property)),
    (action, order) => `${named(action, shortMath(action.math))} (${letterOf(order)})`,
  ];
  const lists = ways.map((way) => new Map([...actions].map(([order, one]) => [order, way(one, order)])));
  return lists.find((names) => new Set(names.values()).size === names.size) ?? lists.at(-1)!;
}

function named({ name, custom_name: own }: SeriesAction, math: string): string {
  return own || (math === '' ? name! : `${name}, ${math}`);
}

/** A line alone has the first color. Values have theirs in every chart; several series of one chart by their names. */
function slotsOf(answers: readonly SeriesAnswer[], bases: ReadonlyMap<number, string>): number[] {
  if (answers.every(({ breakdown_value: value, status }) => value === undefined && !status)) {
    if (answers.length === 1) return [1];
    return colorSlots(answers.map((one) => wordsOf(one, bases.get(orderOf(one)))));
  }
  const isOfMany = new Set(answers.map(orderOf)).size > 1;
  const own = answers.map((one) => STATUSES[one.status ?? '']?.slot ?? (isRest(one) ? REST : null));
  const texts = answers.map(
    (one) => inWords(valueOf(one)) + (isOfMany ? ` ${bases.get(orderOf(one)) ?? one.label}` : ''),
  );
  const found = colorSlots(texts.filter((_, at) => own[at] === null));
  return own.map((slot) => slot ?? found.shift()!);
}

function isRest({ breakdown_value: value }: SeriesAnswer): boolean {
  return [value].flat().includes(OTHER_VALUE);
}

/** The lines of a result; of which none has a total where the kind has none. */
export function linesOf(insightQuery: InsightQuery, results: unknown, options: LineOptions): TrendLine[] {
  const { slotOf: ownSlotOf } = ownLooks(insightQuery);
  const lines = trendLines(results).map((line) => {
    const ownSlot = ownSlotOf(line.keys);
    return { ...line, slot: ownSlot ?? line.slot, ownSlot };
  });
  if (options.hasTotals?.(insightQuery) ?? true) return lines;
  return lines.map((line) => ({ ...line, hasTotal: false }));
}

/** What a series of the previous period is now: nothing. */
function withoutNumbers(one: SeriesAnswer, current: SeriesAnswer | undefined): SeriesAnswer {
  const days = current?.days ?? one.days ?? [];
  return {
    ...one,
    days,
    data: days.map(() => 0),
    count: 0,
    aggregated_value: one.aggregated_value == null ? null : 0,
  };
}

function keyOf({ label, action, order, breakdown_value: breakdown, status }: SeriesAnswer): string {
  return JSON.stringify([action?.order ?? `${label} ${order ?? ''}`, breakdown, status]);
}

function wordsOf(one: SeriesAnswer, base: string | undefined): string {
  if (one.status) return STATUSES[one.status]?.name ?? one.status;
  if (one.breakdown_value === undefined) return inWords(base ?? one.label);
  // The label of a formula does not name the value of its breakdown.
  if (one.action === null) return inWords(`${one.label} - ${valueOf(one)}`);
  const value = valueOf(one);
  if (value === one.label) return inWords(value);
  return inWords(`${base ?? one.action?.name ?? one.label} - ${value}`);
}

/** What the value of a breakdown is called: the label without the name of its series. */
function valueOf({ label, action, breakdown_value: values, breakdown_label: cohort }: SeriesAnswer): string {
  if (action === null) return cohort ?? [values].flat().join('::');
  const prefix = `${action?.custom_name || action?.name} - `;
  if (action?.name != null && label.startsWith(prefix)) return label.slice(prefix.length);
  const byName = `${action?.name} - `;
  return action?.name != null && label.startsWith(byName) ? label.slice(byName.length) : label;
}

function inWords(label: string): string {
  return label
    .split(/( - |::)/)
    .map((part) => OTHERS[part] ?? (part || '(empty)'))
    .join('');
}

/** The lines as a chart draws them, each before the numbers of its previous period. */
export function chartSeries(
  lines: readonly TrendLine[],
  placeOf?: (day: string | number) => string,
): ChartSeries[] {
  return lines.flatMap((line) => {
    const total = line.hasTotal ? line.total : undefined;
    const now: ChartSeries = { id: line.id, name: line.name, values: line.values, slot: line.slot, total };
    if (!line.before) return [now];
    const { values, days } = line.before;
    const before: ChartSeries = {
      ...now,
      id: `${line.id} before`,
      total: line.hasTotal ? line.before.total : undefined,
      // A whole month is compared with the days of this one that have been.
      values: values.slice(0, Math.max(1, line.values.length)),
      previousOf: line.id,
      ...(placeOf && { places: days.map(placeOf) }),
    };
    return [now, before];
  });
}

/** The color of what has no value of its own, by its index: 1 to 8, then again from 1. */
export function slotOf(place: number): number {
  return (place % 8) + 1;
}

/** The labels of the intervals. */
export function placesOf(lines: readonly TrendLine[], insightQuery: InsightQuery): Place[] {
  const days = lines[0]?.days ?? [];
  return days.map((day) => dayLabel(String(day), insightQuery.interval ?? 'day'));
}

const SHAPES: Readonly<Record<string, ChartShape>> = {
  ActionsAreaGraph: 'area',
  ActionsBar: 'bar',
  ActionsStackedBar: 'bar',
  ActionsUnstackedBar: 'grouped',
};

/** How the numbers are drawn over time. */
export function shapeOf({ trendsFilter }: InsightQuery): ChartShape {
  return SHAPES[trendsFilter?.display ?? ''] ?? 'line';
}

/** How a result is drawn. */
export type TrendPicture = 'chart' | 'number' | 'bars' | 'pie' | 'map' | 'table' | 'heatmap' | 'boxes';

const PICTURES: Readonly<Record<string, TrendPicture>> = {
  BoldNumber: 'number',
  ActionsBarValue: 'bars',
  ActionsPie: 'pie',
  WorldMap: 'map',
  ActionsTable: 'table',
  CalendarHeatmap: 'heatmap',
  BoxPlot: 'boxes',
};

/** The picture of a query: totals, or a chart over time. */
export function pictureOf({ kind, trendsFilter }: InsightQuery): TrendPicture {
  return (kind === 'TrendsQuery' && PICTURES[trendsFilter?.display ?? '']) || 'chart';
}

/** The query for the small line beside a large number; `null` for other pictures. */
export function courseOf(insightQuery: InsightQuery): InsightQuery | null {
  if (pictureOf(insightQuery) !== 'number') return null;
  const { compareFilter: _, ...rest } = insightQuery;
  return { ...rest, trendsFilter: { ...insightQuery.trendsFilter, display: 'ActionsLineGraph' } };
}

/** The point whose actors to list: an interval of a line; null: all of it. */
export function pointOfLine(
  insightQuery: InsightQuery,
  line: TrendLine,
  place: number | null,
  { title, options }: { title: string; options: LineOptions },
): PickedPoint {
  const point = {
    series: line.order,
    day: place === null ? undefined : options.dayOf(line, place),
    breakdown: line.breakdown,
    status: line.status,
    compare: line.before ? 'current' : undefined,
  };
  return { title, source: { kind: options.pointKind, source: insightQuery, ...point } };
}
