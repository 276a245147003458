import {
  evaluateFlag,
  type CompiledFlag,
  type FlagContext,
  type FlagDefinition,
  type FlagEvaluation,
} from '../../../conditions/index.ts';
import { overriddenAnswer, type Override } from '../overrides/flag-override.ts';
import type { FlagResult } from './evaluation.ts';

/** What a flag says to whom the context is about. */
export function evaluatedResult(flag: CompiledFlag, context: FlagContext): FlagResult {
  return resultOf(flag.definition, evaluateFlag(flag, context), flag.definition.active);
}

/**
 * What a flag is forced to say, also one that is inactive or cannot be computed; null when it no longer has the
 * value. With a trace it also contains how the flag would have been evaluated.
 */
export function overriddenResult(
  definition: FlagDefinition,
  override: Override,
  flag: CompiledFlag | null,
  context: FlagContext,
): FlagResult | null {
  const answer = overriddenAnswer(definition, override);
  if (answer === null) return null;
  const result = resultOf(definition, answer, true);
  const trace = context.trace && flag !== null ? evaluateFlag(flag, context).trace : undefined;
  if (trace === undefined) return result;
  const conditions = trace.conditions.map((condition) => ({ ...condition, decided: false }));
  return { ...result, trace: { ...trace, decided_by: 'override', conditions } };
}

/** F-1: an inactive flag is off, whatever else is wrong with it. */
export function disabledResult(definition: FlagDefinition): FlagResult {
  return resultOf(definition, DISABLED, false);
}

const DISABLED: FlagEvaluation = {
  value: false,
  variant: null,
  payload: null,
  reason: { code: 'flag_disabled', conditionIndex: null, description: 'Feature flag is disabled' },
};

function resultOf(
  { id, key, version, name }: FlagDefinition,
  said: FlagEvaluation,
  active: boolean,
): FlagResult {
  return {
    id,
    key,
    version,
    description: name,
    active,
    enabled: said.value !== false,
    variant: said.variant,
    payload: said.payload,
    hasExperiment: false,
    reason: said.reason,
    trace: said.trace,
  };
}
