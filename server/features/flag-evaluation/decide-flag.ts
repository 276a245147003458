import type { CompiledCondition, CompiledFlag, CompiledVariant, Miss } from './compiled-flag.ts';
import { holds, type Asked } from './evaluate-property.ts';
import type { FlagContext } from './flag-context.ts';
import { flagHash, hashedIdentifier } from './flag-hash.ts';
import { off, reasonOf, type FlagEvaluation } from './flag-result.ts';
import { sourceOf, valueFrom, type Subject } from './property-source.ts';
import { groupOf, identifierOf, personIdentifier, personOf } from './subject.ts';

const DISABLED = off('flag_disabled', null);
const LACKS_DEPENDENCY = off('missing_dependency', null);
const NO_CONDITION = off('no_condition_match', null);
/** F-6: what a flag says that is off, the most telling first. */
const TELLING: Readonly<Record<Miss, number>> = {
  out_of_rollout_bound: 3,
  no_condition_match: 2,
  no_group_type: 1,
};

/** What a flag says, without a trace; the flags that it depends on were evaluated before (F-1). */
export function decide(flag: CompiledFlag, context: FlagContext): FlagEvaluation {
  if (!flag.definition.active) return DISABLED;
  if (flag.lacksDependency) return LACKS_DEPENDENCY;
  const person = personOf(context);
  if (flag.enrollmentKey !== null) {
    const isEnrolled = enrollment(flag.enrollmentKey, person);
    if (isEnrolled !== null) return enrolled(flag, isEnrolled);
  }
  if (flag.holdout !== null && isHeldOut(flag, context)) return flag.holdout.result;
  return decideByConditions(flag, person, context);
}

/** F-2: whether the person has enrolled; null when nothing is known of it. */
export function enrollment(key: string, person: Subject): boolean | null {
  const source = sourceOf(key, person);
  if (source === 'none') return null;
  const value = valueFrom(source, key, person);
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

function enrolled(flag: CompiledFlag, isEnrolled: boolean): FlagEvaluation {
  if (!isEnrolled) return off('super_condition_value', 0);
  const payload = flag.payloads.get('true') ?? null;
  return { value: true, variant: null, payload, reason: reasonOf('super_condition_value', 0) };
}

const HOLDOUT_PREFIX = 'holdout-';

function isHeldOut(flag: CompiledFlag, context: FlagContext): boolean {
  const identifier = identifierOf(flag, context).value;
  if (identifier === null) return false;
  const { threshold } = flag.holdout!;
  return threshold >= 1 || holdoutHash(identifier) <= threshold;
}

/** F-3: not by the flag's key, so that the same people are held out everywhere. */
export function holdoutHash(identifier: string): number {
  return flagHash(HOLDOUT_PREFIX, identifier, '');
}

/** F-4, F-6. */
function decideByConditions(flag: CompiledFlag, person: Subject, context: FlagContext): FlagEvaluation {
  let nearest = NO_CONDITION;
  let telling = 0;
  for (const condition of flag.conditions) {
    const result = decideByCondition(condition, flag, person, context);
    if (typeof result !== 'string') return result;
    if (flag.isEarlyExit && result === 'out_of_rollout_bound') return condition.misses[result];
    if (TELLING[result] >= telling) {
      telling = TELLING[result];
      nearest = condition.misses[result];
    }
  }
  return nearest;
}

/** F-5, F-7. */
function decideByCondition(
  condition: CompiledCondition,
  flag: CompiledFlag,
  person: Subject,
  context: FlagContext,
): FlagEvaluation | Miss {
  const { groupIndex } = condition;
  const subject = groupIndex === null ? person : groupOf(context, groupIndex);
  if (subject === null) return 'no_group_type';
  if (condition.properties.length > 0) {
    const asked: Asked = { context, person, subject };
    for (const property of condition.properties) if (!holds(property, asked)) return 'no_condition_match';
  }
  const identifier = conditionIdentifier(condition, subject, flag, context);
  if (identifier === null || !isInRollout(condition, flag, identifier)) return 'out_of_rollout_bound';
  return matched(condition, flag, identifier);
}

/** Who is hashed for a condition: its group, or the person. */
export function conditionIdentifier(
  { groupIndex }: CompiledCondition,
  subject: Subject,
  flag: CompiledFlag,
  context: FlagContext,
): string | null {
  return groupIndex === null ? personIdentifier(flag, context).value : hashedIdentifier(subject.identity);
}

/** F-11. */
function isInRollout({ threshold }: CompiledCondition, flag: CompiledFlag, identifier: string): boolean {
  return threshold >= 1 || flagHash(flag.hashPrefix, identifier, '') <= threshold;
}

function matched(condition: CompiledCondition, flag: CompiledFlag, identifier: string): FlagEvaluation {
  const variant =
    condition.variant ??
    (flag.variants.length === 0 ? null : (variantAt(variantHash(flag, identifier), flag)?.key ?? null));
  return {
    value: variant ?? true,
    variant,
    payload: flag.payloads.get(variant ?? 'true') ?? null,
    reason: condition.reason,
  };
}

export function variantHash({ hashPrefix }: CompiledFlag, identifier: string): number {
  return flagHash(hashPrefix, identifier, 'variant');
}

/** F-13: the variant whose bounds hold the hash; none when they end below it. */
export function variantAt(hash: number, { variants }: CompiledFlag): CompiledVariant | null {
  for (const variant of variants) if (hash >= variant.from && hash < variant.to) return variant;
  return null;
}
