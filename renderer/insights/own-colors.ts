import { COLORS } from '../ui/charts/series-colors.ts';
import type { InsightQuery } from './insight-query.ts';

/** How a stored query names one result: by what it is, and by its place in the answer. */
export interface ResultKeys {
  value: string;
  position: string;
}

interface Customization {
  assignmentBy?: 'value' | 'position';
  /** `preset-1` and so on. */
  color?: string | null;
  hidden?: boolean | null;
}

type Fields = Readonly<Record<string, unknown>>;

/** The settings of a kind that can have own colors. */
const FILTERS: Readonly<Record<string, string>> = {
  TrendsQuery: 'trendsFilter',
  StickinessQuery: 'stickinessFilter',
  FunnelsQuery: 'funnelsFilter',
};

/** What a query sets for its results: the slot of a color, and whether one is hidden at first. */
export function ownLooks(insightQuery: InsightQuery) {
  const { isByPosition, all } = settingsOf(insightQuery);
  const byKey = new Map(
    Object.entries(all).map(([key, one]) => [isByPosition ? key : withoutPeriod(key), one] as const),
  );
  const find = ({ value, position }: ResultKeys): Customization | undefined =>
    byKey.get(isByPosition ? position : withoutPeriod(value));
  return {
    slotOf: (keys: ResultKeys): number | null => slotOfPreset(find(keys)?.color),
    isHidden: (keys: ResultKeys): boolean => find(keys)?.hidden === true,
  };
}

/** Whether lines of this kind can be given own colors: those of funnels are set through the API. */
export function canColorLines({ kind }: Pick<InsightQuery, 'kind'>): boolean {
  return kind === 'TrendsQuery' || kind === 'StickinessQuery';
}

/** The query with an own color for a result; null: the usual one. */
export function withOwnColor(
  insightQuery: InsightQuery,
  keys: ResultKeys,
  slot: number | null,
): InsightQuery {
  const field = FILTERS[insightQuery.kind];
  if (field === undefined) return insightQuery;
  const { isByPosition, all } = settingsOf(insightQuery);
  const isSame = (key: string) =>
    isByPosition ? key === keys.position : withoutPeriod(key) === withoutPeriod(keys.value);
  const { color: _, ...rest } = Object.entries(all).find(([key]) => isSame(key))?.[1] ?? {};
  const others = Object.entries(all).filter(([key]) => !isSame(key));
  const isBare = slot === null && rest.hidden !== true;
  const assignmentBy = isByPosition ? 'position' : 'value';
  const own = { ...rest, assignmentBy, ...(slot !== null && { color: `preset-${slot}` }) };
  const resultCustomizations = Object.fromEntries([
    ...others,
    ...(isBare ? [] : [[isByPosition ? keys.position : keys.value, own] as const]),
  ]);
  const { resultCustomizations: __, ...settings } = fieldsOf(insightQuery[field]);
  const hasAny = Object.keys(resultCustomizations).length > 0;
  return { ...insightQuery, [field]: { ...settings, ...(hasAny && { resultCustomizations }) } };
}

function settingsOf(insightQuery: InsightQuery): {
  isByPosition: boolean;
  all: Readonly<Record<string, Customization>>;
} {
  const settings = fieldsOf(insightQuery[FILTERS[insightQuery.kind] ?? '']);
  return {
    isByPosition: settings['resultCustomizationBy'] === 'position',
    all: fieldsOf(settings['resultCustomizations']) as Record<string, Customization>,
  };
}

/** A result keeps its color when it is compared with the period before. */
function withoutPeriod(key: string): string {
  try {
    const { compare_label: _, ...rest } = JSON.parse(key) as Fields;
    return JSON.stringify(rest);
  } catch {
    return key;
  }
}

/** There may be more presets than colors that differ enough: they begin again. */
function slotOfPreset(color: string | null | undefined): number | null {
  const [, number] = /^preset-(\d{1,3})$/.exec(color ?? '') ?? [];
  return number === undefined || number === '0' ? null : ((Number(number) - 1) % COLORS) + 1;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
