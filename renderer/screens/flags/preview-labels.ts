import type { SimulationJson as FlagSimulation } from '../../../server/features/feature-flags/simulation/flag-simulation.contract.ts';
import { formatCount, formatShare } from '../../ui/format.ts';

type Values = FlagSimulation['values'];

/** The preview of a draft. Counts are of all stored persons, also when only a sample was evaluated. */
export interface PreviewLabels {
  /** How many would get it. */
  count: number;
  isAbout: boolean;
  /** `of 8,412 persons would get the flag (13.8%, up from 8.7%).` */
  sentence: string;
  /** Those who get it now and then; only then; only now; neither. */
  kept: number;
  added: number;
  removed: number;
  without: number;
  /** Who loses it or changes the variant, as a sentence. */
  losses: string;
}

/** How many pass a condition set: `1 person matches`, `4 people match`. */
export function matchLabel(count: number, { one, many }: { one: string; many: string }): string {
  return `${formatCount(count)} ${count === 1 ? `${one} matches` : `${many} match`}`;
}

const countOn = (values: Values): number =>
  values.reduce((sum, { value, count }) => sum + (value === false ? 0 : count), 0);

/**
 * The labels of a simulation. `subjects`: singular and plural of the counted; `isChanged`: it is of a draft, not of the
 * stored flag.
 */
export function previewLabel(
  simulation: FlagSimulation,
  subjects: { one: string; many: string },
  isChanged = true,
): PreviewLabels {
  const { evaluated, total, values, now, changes } = simulation;
  const scaled = (count: number) => (evaluated === 0 ? 0 : Math.round((count / evaluated) * total));
  const on = countOn(values);
  const before = now ? countOn(now.values) : null;
  const added = changes?.added ?? (before === null ? 0 : Math.max(0, on - before));
  const removed = changes?.removed ?? 0;
  const moved = changes?.moved ?? 0;
  const share = evaluated === 0 ? '0%' : shareText(on, evaluated);
  const was =
    before === null || before === on
      ? ''
      : `, ${before < on ? 'up' : 'down'} from ${shareText(before, evaluated)}`;
  const noun = total === 1 ? subjects.one : subjects.many;
  const verb = isChanged ? 'would get the flag' : total === 1 ? 'gets the flag' : 'get the flag';
  const sentence = `of ${formatCount(total)} ${noun} ${verb} (${share}${was}).`;
  return {
    count: scaled(on),
    isAbout: evaluated < total,
    sentence: total === 0 ? `No ${subjects.many} yet.` : sentence,
    kept: scaled(before === null ? 0 : on - added),
    added: scaled(before === null ? on : added),
    removed: scaled(removed),
    without: scaled(evaluated - on - removed),
    losses:
      !isChanged || before === null || before === 0
        ? ''
        : lossLabel(scaled(removed), scaled(moved), subjects),
  };
}

function shareText(part: number, whole: number): string {
  const percent = (part / whole) * 100;
  return percent < 1 || percent > 99 ? formatShare(part, whole) : `${Number(percent.toFixed(1))}%`;
}

function lossLabel(removed: number, moved: number, { one, many }: { one: string; many: string }): string {
  const people = (count: number) => `${formatCount(count)} ${count === 1 ? one : many}`;
  if (removed === 0 && moved === 0) return 'No one loses the flag or changes variant.';
  const losing = removed === 0 ? '' : `${people(removed)} would lose the flag`;
  const moving =
    moved === 0 ? '' : `${removed === 0 ? people(moved) : formatCount(moved)} would change variant`;
  return `${[losing, moving].filter(Boolean).join(', and ')}.`;
}
