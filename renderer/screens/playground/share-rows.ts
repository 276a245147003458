import type { FlagFilters } from '../../../server/features/feature-flags/feature-flags.contract.ts';
import type { SimulationJson as FlagSimulation } from '../../../server/features/feature-flags/simulation/flag-simulation.contract.ts';
import { formatCount } from '../../ui/format.ts';

/** How many of the stored persons or groups get a value. */
export interface ShareRow {
  value: boolean | string;
  count: number;
  /** Both between 0 and 1. */
  share: number;
  /** With the stored flag. */
  shareNow: number;
}

/** Every value with its share, variants in the flag's order, then on, then off. */
export function shareRows(simulation: FlagSimulation, variants: readonly string[]): ShareRow[] {
  const { evaluated, values, now } = simulation;
  const shareOf = (count: number) => (evaluated === 0 ? 0 : count / evaluated);
  const countIn = (list: FlagSimulation['values'], value: boolean | string) =>
    list.find((item) => item.value === value)?.count ?? 0;
  const known = new Set<boolean | string>([
    ...variants,
    ...[...values, ...(now?.values ?? [])].map(({ value }) => value),
  ]);
  const rank = (value: boolean | string) => (value === false ? 2 : value === true ? 1 : 0);
  return [...known]
    .toSorted((a, b) => rank(a) - rank(b))
    .map((value) => ({
      value,
      count: countIn(values, value),
      share: shareOf(countIn(values, value)),
      shareNow: shareOf(countIn(now?.values ?? values, value)),
    }));
}

/** The rollouts of a flag's sets in percent, as they are typed. */
export function rolloutsOf(filters: FlagFilters): string[] {
  return filters.groups.map((group) => String(group.rollout_percentage ?? 100));
}

/** The filters with other rollouts; `null` while one of them is no percentage. */
export function withRollouts(filters: FlagFilters, texts: readonly string[]): FlagFilters | null {
  const numbers = texts.map(percentOf);
  if (numbers.includes(null)) return null;
  const groups = filters.groups.map((group, index) => ({
    ...group,
    rollout_percentage: numbers[index] ?? group.rollout_percentage ?? 100,
  }));
  return { ...filters, groups };
}

/** A typed share in percent; `null` for what is none. */
export function percentOf(text: string): number | null {
  const value = Number(text.trim().replace(/\s*%$/, ''));
  return text.trim() !== '' && Number.isFinite(value) && value >= 0 && value <= 100 ? value : null;
}

/** What a change of the rollout does, in words. */
export function changeLabel(simulation: FlagSimulation): string {
  const { changes } = simulation;
  if (changes === null) return '';
  const { added, removed, moved } = changes;
  const parts = [
    ...(added > 0 ? [`${formatCount(added)} more get it`] : []),
    ...(removed > 0 ? [`${formatCount(removed)} lose it`] : []),
    ...(moved > 0 ? [`${formatCount(moved)} change variant`] : []),
  ];
  return parts.length > 0 ? `${parts.join(', ')}.` : 'No changes.';
}
