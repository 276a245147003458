import type { Breakdown, InsightQuery } from '../insight-query.ts';

export type BreakdownFilter = NonNullable<InsightQuery['breakdownFilter']>;

/** The server's limit. */
export const MOST_BREAKDOWNS = 3;

/** The breakdowns of a query, also of the older form, which has one type for all. */
export function breakdownsOf(filter: BreakdownFilter | null | undefined): Breakdown[] {
  if (filter?.breakdowns?.length) return filter.breakdowns;
  const old = filter?.['breakdown'] as string | number | (string | number)[] | null | undefined;
  if (old === null || old === undefined || old === '') return [];
  const type = (filter?.['breakdown_type'] ?? 'event') as Breakdown['type'];
  const index = filter?.['breakdown_group_type_index'] as number | null | undefined;
  return [old].flat().map((property) => ({
    property,
    type,
    ...(index === null || index === undefined ? {} : { group_type_index: index }),
  }));
}

const OLD = ['breakdown', 'breakdown_type', 'breakdown_group_type_index'];

/** The filter with other breakdowns; undefined for none. */
export function withBreakdowns(
  filter: BreakdownFilter | null | undefined,
  breakdowns: Breakdown[],
): BreakdownFilter | undefined {
  if (breakdowns.length === 0) return undefined;
  const kept = Object.entries(filter ?? {}).filter(([key]) => !OLD.includes(key));
  return { ...Object.fromEntries(kept), breakdowns };
}

/** The label beside the name of a breakdown. */
export function breakdownLabel({ type }: Breakdown): string {
  return type === 'hogql' ? 'HogQL' : type;
}
