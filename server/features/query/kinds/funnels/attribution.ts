import { fail } from '../../../../errors.ts';

/** Which of a person's events says the value that a funnel is broken down by. */
export type Attribution =
  | { readonly kind: 'first_touch' | 'last_touch' | 'all_events' }
  /** The event that takes this step, counted from 0, in the attempt that counts. */
  | { readonly kind: 'step'; readonly step: number };

interface AttributionFields {
  readonly breakdownAttributionType?: 'first_touch' | 'last_touch' | 'all_events' | 'step' | null | undefined;
  readonly breakdownAttributionValue?: number | null | undefined;
}

/** Reads it of `funnelsFilter`; the first touch unless it says otherwise. Throws invalid_input. */
export function readAttribution(filter: AttributionFields | null | undefined, steps: number): Attribution {
  const kind = filter?.breakdownAttributionType ?? 'first_touch';
  if (kind !== 'step') return { kind };
  const step = filter?.breakdownAttributionValue ?? 0;
  if (step >= 0 && step < steps) return { kind, step };
  throw fail('invalid_input', { detail: `breakdownAttributionValue must be a step from 0 to ${steps - 1}.` });
}
