import type { CompiledCondition, CompiledFlag } from './compiled-flag.ts';
import { conditionIdentifier, enrollment, holdoutHash, variantAt, variantHash } from './decide-flag.ts';
import type { Asked } from './evaluate-property.ts';
import type { FlagContext } from './flag-context.ts';
import { flagHash } from './flag-hash.ts';
import type { FlagEvaluation } from './flag-result.ts';
import type { ConditionTrace, FlagTrace } from './flag-evaluation.contract.ts';
import { sourceOf, valueFrom, type Subject } from './property-source.ts';
import { groupOf, identifierOf, personOf } from './subject.ts';
import { traceProperty, type Told } from './trace-property.ts';

/** How an evaluation came about: everything that was looked at, and what would have been, in order. */
export function traceFlag(flag: CompiledFlag, context: FlagContext, evaluation: FlagEvaluation): FlagTrace {
  const person = personOf(context);
  const decidedBy = decidedByOf(flag, evaluation);
  const told: Told = new Set();
  const decidedIndex = decidedBy === 'condition' ? evaluation.reason.conditionIndex : null;
  return {
    decided_by: decidedBy,
    identifier: { ...identifierOf(flag, context) },
    enrollment: traceEnrollment(flag, person),
    holdout: traceHoldout(flag, context),
    conditions: flag.conditions.map((condition) => ({
      ...traceCondition(condition, flag, { context, person, told }),
      decided: condition.index === decidedIndex,
    })),
    variant:
      decidedIndex === null ? null : traceVariant(flag, flag.conditions[decidedIndex]!, context, evaluation),
  };
}

function decidedByOf(flag: CompiledFlag, { reason }: FlagEvaluation): FlagTrace['decided_by'] {
  switch (reason.code) {
    case 'flag_disabled':
      return 'disabled';
    case 'missing_dependency':
      return 'dependency';
    case 'super_condition_value':
      return 'enrollment';
    case 'holdout_condition_value':
      return 'holdout';
    case 'condition_match':
      return 'condition';
    case 'out_of_rollout_bound':
      return flag.isEarlyExit ? 'condition' : 'none';
    default:
      return 'none';
  }
}

function traceEnrollment({ enrollmentKey }: CompiledFlag, person: Subject): FlagTrace['enrollment'] {
  if (enrollmentKey === null) return null;
  const source = sourceOf(enrollmentKey, person);
  return {
    property: enrollmentKey,
    got: source === 'none' ? null : json(valueFrom(source, enrollmentKey, person)),
    source,
    matched: enrollment(enrollmentKey, person) === true,
  };
}

/** Properties come out of JSON.parse. */
function json(value: unknown): NonNullable<FlagTrace['enrollment']>['got'] {
  return (value ?? null) as never;
}

function traceHoldout(flag: CompiledFlag, context: FlagContext): FlagTrace['holdout'] {
  if (flag.holdout === null) return null;
  const { id, threshold } = flag.holdout;
  const identifier = identifierOf(flag, context).value;
  const hash = identifier === null || threshold >= 1 ? null : holdoutHash(identifier);
  const matched = identifier !== null && (hash === null || hash <= threshold);
  return { id, hash, threshold, matched };
}

interface Tracing {
  readonly context: FlagContext;
  readonly person: Subject;
  readonly told: Told;
}

function traceCondition(
  condition: CompiledCondition,
  flag: CompiledFlag,
  { context, person, told }: Tracing,
): Omit<ConditionTrace, 'decided'> {
  const { index, groupIndex, variant } = condition;
  const subject = groupIndex === null ? person : groupOf(context, groupIndex);
  const type = groupIndex === null ? null : (context.groupTypes[groupIndex] ?? null);
  const group = groupIndex === null ? null : { type, key: subject?.identity ?? null };
  if (subject === null) {
    return {
      index,
      group,
      properties: [],
      rollout: null,
      variant_override: variant,
      outcome: 'no_group_type',
    };
  }
  const asked: Asked = { context, person, subject };
  const properties = condition.properties.map((property) => traceProperty(property, asked, told));
  const rollout = traceRollout(condition, flag, conditionIdentifier(condition, subject, flag, context));
  const outcome = outcomeOf(
    condition,
    properties.every(({ matched }) => matched),
    rollout.matched,
  );
  return {
    index,
    group,
    properties: properties as ConditionTrace['properties'],
    rollout,
    variant_override: variant,
    outcome,
  };
}

function outcomeOf(
  { properties }: CompiledCondition,
  hold: boolean,
  isIn: boolean,
): ConditionTrace['outcome'] {
  if (properties.some((property) => property.kind === 'flag' && property.flag === null))
    return 'missing_dependency';
  if (!hold) return 'no_condition_match';
  return isIn ? 'match' : 'out_of_rollout_bound';
}

function traceRollout(
  { percentage, threshold }: CompiledCondition,
  { hashPrefix }: CompiledFlag,
  identifier: string | null,
): NonNullable<ConditionTrace['rollout']> {
  const hash = identifier === null || threshold >= 1 ? null : flagHash(hashPrefix, identifier, '');
  const matched = identifier !== null && (hash === null || hash <= threshold);
  return { percentage, hash, threshold, matched };
}

/** Which variant the deciding condition gave, and why. */
function traceVariant(
  flag: CompiledFlag,
  condition: CompiledCondition,
  context: FlagContext,
  evaluation: FlagEvaluation,
): FlagTrace['variant'] {
  if (flag.variants.length === 0 || evaluation.value === false) return null;
  if (condition.variant !== null) {
    return { key: condition.variant, by: 'override', hash: null, from: null, to: null };
  }
  const subject = condition.groupIndex === null ? personOf(context) : groupOf(context, condition.groupIndex)!;
  const hash = variantHash(flag, conditionIdentifier(condition, subject, flag, context)!);
  const variant = variantAt(hash, flag);
  if (variant === null) return { key: null, by: 'none', hash, from: null, to: null };
  return { key: variant.key, by: 'hash', hash, from: variant.from, to: variant.to };
}
