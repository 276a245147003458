import { variantsOf, type OverridableFlag } from './flag-override.ts';

export type Preset = 'all_on' | 'all_off';

/** What a preset forces a flag to: of variants the first that shows something new, so not `control` when there is another. */
export function presetValue(flag: OverridableFlag, preset: Preset): boolean | string {
  if (preset === 'all_off') return false;
  const variants = variantsOf(flag);
  return variants.find((key) => key !== 'control') ?? variants[0] ?? true;
}
