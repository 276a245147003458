import type { FlagTrace } from './trace.contract.ts';

/** What the codes of ingestion contract 8.3 say. */
const DESCRIPTIONS = {
  condition_match: 'Matched condition set',
  no_condition_match: 'No matching condition set',
  out_of_rollout_bound: 'Out of rollout bound',
  no_group_type: 'No group type',
  super_condition_value: 'Super condition value',
  holdout_condition_value: 'Holdout condition value',
  flag_disabled: 'Feature flag is disabled',
  missing_dependency: 'Flag cannot be evaluated due to missing dependency',
};
export type ReasonCode = keyof typeof DESCRIPTIONS;

export interface FlagReason {
  readonly code: ReasonCode;
  /** Of the condition that decided; null when none did. */
  readonly conditionIndex: number | null;
  readonly description: string;
}

export interface FlagEvaluation {
  /** The variant, or whether the flag is on (F-14). */
  readonly value: boolean | string;
  readonly variant: string | null;
  /** JSON text; null when the flag is off or has none. */
  readonly payload: string | null;
  readonly reason: FlagReason;
  readonly trace?: FlagTrace;
}

export function reasonOf(code: ReasonCode, conditionIndex: number | null): FlagReason {
  const text = DESCRIPTIONS[code];
  const description = code === 'condition_match' ? `${text} ${Number(conditionIndex) + 1}` : text;
  return { code, conditionIndex, description };
}

/** What a flag says that is off. */
export function off(code: ReasonCode, conditionIndex: number | null): FlagEvaluation {
  return { value: false, variant: null, payload: null, reason: reasonOf(code, conditionIndex) };
}
