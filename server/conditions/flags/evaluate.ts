import { textOf } from '../property-text.ts';
import type {
  CohortProperty,
  CompiledCohort,
  CompiledCondition,
  CompiledFlag,
  CompiledLeaf,
  CompiledProperty,
  CompiledTree,
  CompiledVariant,
  DependencyProperty,
  Miss,
  ValueProperty,
} from './compile.ts';
import { off, reasonOf, type FlagEvaluation } from './result.ts';
import {
  flagHash,
  groupOf,
  hashedIdentifier,
  identifierOf,
  personIdentifier,
  personOf,
  sourceOf,
  valueFrom,
  type FlagContext,
  type Subject,
} from './subject.ts';
import type { ConditionTrace, FlagTrace, PropertyTrace } from './trace.contract.ts';

/**
 * Records how an evaluation comes about. Where one is given, evaluation goes on after the result is certain, so that the
 * trace shows every condition; the result is the same.
 */
interface Recorder {
  enrollment: FlagTrace['enrollment'];
  holdout: FlagTrace['holdout'];
  readonly conditions: Omit<ConditionTrace, 'decided'>[];
  /** By the index of the condition that would give it. */
  readonly variants: Map<number, FlagTrace['variant']>;
  /** Cohorts whose conditions are in the trace already. */
  readonly cohorts: Set<CompiledCohort>;
}

/** Where the comparisons of one condition or cohort are recorded. */
interface PropertyRecorder {
  readonly traces: PropertyTrace[];
  readonly cohorts: Set<CompiledCohort>;
}

/** The subject of a condition, and the person, whose cohorts count. */
interface Subjects {
  readonly context: FlagContext;
  readonly person: Subject;
  readonly subject: Subject;
}

/** What was computed for a subject already, because several flags use it. */
interface EvaluationCache {
  readonly cohorts: Map<number, boolean>;
  readonly flags: Map<CompiledFlag, boolean | string>;
}

/** By the object itself: a context never changes. */
const caches = new WeakMap<FlagContext, EvaluationCache>();

function cacheOf(context: FlagContext): EvaluationCache {
  let cache = caches.get(context);
  if (cache === undefined) {
    cache = { cohorts: new Map(), flags: new Map() };
    caches.set(context, cache);
  }
  return cache;
}

const DISABLED = off('flag_disabled', null);
const LACKS_DEPENDENCY = off('missing_dependency', null);
const NO_CONDITION = off('no_condition_match', null);
/** F-6: of a flag that is off, the reason with the highest priority is returned. */
const REASON_PRIORITY: Readonly<Record<Miss, number>> = {
  out_of_rollout_bound: 3,
  no_condition_match: 2,
  no_group_type: 1,
};

/**
 * Evaluates one flag for one subject by the rules F and P of docs/contract. Synchronous; caches what other flags of the
 * same context use too.
 */
export function evaluateFlag(flag: CompiledFlag, context: FlagContext): FlagEvaluation {
  if (flag.dependencies.length > 0) evaluateDependencies(flag, context);
  if (!context.trace) return decide(flag, context, null);
  const recorder: Recorder = {
    enrollment: null,
    holdout: null,
    conditions: [],
    variants: new Map(),
    cohorts: new Set(),
  };
  const evaluation = decide(flag, context, recorder);
  return { ...evaluation, trace: traceOf(recorder, flag, context, evaluation) };
}

/** Each after those that it depends on, without recursion: a chain may be longer than the stack. */
function evaluateDependencies(flag: CompiledFlag, context: FlagContext): void {
  const { flags } = cacheOf(context);
  const open = [...flag.dependencies];
  while (open.length > 0) {
    const top = open.at(-1)!;
    const missing = flags.has(top) ? [] : top.dependencies.filter((one) => !flags.has(one));
    if (missing.length > 0) {
      for (const one of missing) open.push(one);
    } else {
      if (!flags.has(top)) flags.set(top, decide(top, context, null).value);
      open.pop();
    }
  }
}

/** F-1: the first step with a result decides. The flags that this one depends on were evaluated before. */
function decide(flag: CompiledFlag, context: FlagContext, recorder: Recorder | null): FlagEvaluation {
  const isComplete = recorder === null;
  let decided = flag.definition.active ? (flag.lacksDependency ? LACKS_DEPENDENCY : null) : DISABLED;
  if (decided !== null && isComplete) return decided;
  const person = personOf(context);
  if (flag.enrollmentKey !== null) {
    const result = decideByEnrollment(flag, flag.enrollmentKey, person, recorder);
    decided ??= result;
    if (decided !== null && isComplete) return decided;
  }
  if (flag.holdout !== null) {
    const result = isHeldOut(flag.holdout, flag, context, recorder) ? flag.holdout.result : null;
    decided ??= result;
    if (decided !== null && isComplete) return decided;
  }
  const result = decideByConditions(flag, person, context, recorder);
  return decided ?? result;
}

/** F-2: whether the person has enrolled; null when the property is not set. */
function decideByEnrollment(
  flag: CompiledFlag,
  key: string,
  person: Subject,
  recorder: Recorder | null,
): FlagEvaluation | null {
  const source = sourceOf(key, person);
  const value = source === 'none' ? null : valueFrom(source, key, person);
  const isEnrolled = value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
  if (recorder !== null)
    recorder.enrollment = { property: key, got: json(value), source, matched: isEnrolled };
  if (source === 'none') return null;
  if (!isEnrolled) return off('super_condition_value', 0);
  const payload = flag.payloads.get('true') ?? null;
  return { value: true, variant: null, payload, reason: reasonOf('super_condition_value', 0) };
}

/** F-3: hashed by a prefix of its own and not by the flag's key, so that the same persons are held out of every flag. */
function isHeldOut(
  { id, threshold }: NonNullable<CompiledFlag['holdout']>,
  flag: CompiledFlag,
  context: FlagContext,
  recorder: Recorder | null,
): boolean {
  const identifier = identifierOf(flag, context).value;
  const hash = identifier === null || threshold >= 1 ? null : flagHash('holdout-', identifier, '');
  const matched = identifier !== null && (hash === null || hash <= threshold);
  if (recorder !== null) recorder.holdout = { id, hash, threshold, matched };
  return matched;
}

/** F-4, F-6. */
function decideByConditions(
  flag: CompiledFlag,
  person: Subject,
  context: FlagContext,
  recorder: Recorder | null,
): FlagEvaluation {
  let decided: FlagEvaluation | null = null;
  let nearest = NO_CONDITION;
  let priority = 0;
  for (const condition of flag.conditions) {
    const result = decideByCondition(condition, flag, person, context, recorder);
    if (decided !== null) continue;
    if (typeof result !== 'string') {
      decided = result;
    } else if (flag.isEarlyExit && result === 'out_of_rollout_bound') {
      decided = condition.misses[result];
    } else if (REASON_PRIORITY[result] >= priority) {
      priority = REASON_PRIORITY[result];
      nearest = condition.misses[result];
    }
    if (decided !== null && recorder === null) return decided;
  }
  return decided ?? nearest;
}

/** F-5, F-7, F-11. */
function decideByCondition(
  condition: CompiledCondition,
  flag: CompiledFlag,
  person: Subject,
  context: FlagContext,
  recorder: Recorder | null,
): FlagEvaluation | Miss {
  const { groupIndex, percentage, threshold } = condition;
  const subject = groupIndex === null ? person : groupOf(context, groupIndex);
  if (subject === null) {
    if (recorder !== null) recordCondition(recorder, condition, context, null);
    return 'no_group_type';
  }
  const properties = recorder && { traces: [], cohorts: recorder.cohorts };
  const matches = propertiesMatch(condition, { context, person, subject }, properties);
  if (!matches && recorder === null) return 'no_condition_match';
  const identifier =
    groupIndex === null ? personIdentifier(flag, context).value : hashedIdentifier(subject.identity);
  const hash = identifier === null || threshold >= 1 ? null : flagHash(flag.hashPrefix, identifier, '');
  const isInRollout = identifier !== null && (hash === null || hash <= threshold);
  const result = !matches
    ? 'no_condition_match'
    : isInRollout
      ? matched(condition, flag, identifier, recorder)
      : 'out_of_rollout_bound';
  if (recorder !== null) {
    recordCondition(recorder, condition, context, {
      key: subject.identity,
      properties: properties!.traces,
      rollout: { percentage, hash, threshold, matched: isInRollout },
      outcome: typeof result === 'string' ? result : 'match',
    });
  }
  return result;
}

function propertiesMatch(
  { properties }: CompiledCondition,
  subjects: Subjects,
  recorder: PropertyRecorder | null,
): boolean {
  let matches = true;
  for (const property of properties) {
    if (propertyMatches(property, subjects, recorder)) continue;
    matches = false;
    if (recorder === null) return false;
  }
  return matches;
}

function matched(
  condition: CompiledCondition,
  flag: CompiledFlag,
  identifier: string,
  recorder: Recorder | null,
): FlagEvaluation {
  const isHashed = condition.variant === null && flag.variants.length > 0;
  const hash = isHashed ? flagHash(flag.hashPrefix, identifier, 'variant') : null;
  const hashed = hash === null ? null : variantAt(hash, flag);
  const variant = condition.variant ?? hashed?.key ?? null;
  if (recorder !== null && flag.variants.length > 0) {
    const by = condition.variant !== null ? 'override' : hashed === null ? 'none' : 'hash';
    const bounds = { from: hashed?.from ?? null, to: hashed?.to ?? null };
    recorder.variants.set(condition.index, { key: variant, by, hash, ...bounds });
  }
  return {
    value: variant ?? true,
    variant,
    payload: flag.payloads.get(variant ?? 'true') ?? null,
    reason: condition.reason,
  };
}

/** F-13: the variant whose bounds contain the hash; null when they end below it. */
function variantAt(hash: number, { variants }: CompiledFlag): CompiledVariant | null {
  for (const variant of variants) if (hash >= variant.from && hash < variant.to) return variant;
  return null;
}

function propertyMatches(
  property: CompiledProperty,
  subjects: Subjects,
  recorder: PropertyRecorder | null,
): boolean {
  switch (property.kind) {
    case 'value':
      return valueMatches(property, subjects, recorder);
    case 'cohort':
      return cohortMatches(property, subjects, recorder);
    case 'flag':
      return dependencyMatches(property, subjects.context, recorder);
  }
}

function valueMatches(
  { key, comparison, definition, groupIndex }: ValueProperty,
  { context, subject }: Subjects,
  recorder: PropertyRecorder | null,
): boolean {
  // A property of a group that the request does not name is not set.
  const owner =
    groupIndex === null || subject.identityKey === '$group_key' ? subject : groupOf(context, groupIndex);
  const source = owner === null ? 'none' : sourceOf(key, owner);
  const value = source === 'none' ? null : valueFrom(source, key, owner!);
  let isMatch = comparison.whenMissing;
  if (source !== 'none') {
    try {
      isMatch = comparison.matches(value, context.now, context.zone);
    } catch {
      // A value that no operator can take, such as one nested deeper than the stack (P-10).
      isMatch = false;
    }
  }
  recorder?.traces.push({
    key,
    type: textOf(definition.type ?? 'person'),
    operator: comparison.operator,
    wanted: definition.value ?? null,
    got: value ?? null,
    source,
    matched: isMatch,
    note: comparison.problem ?? (owner === null ? 'The request has no group of this type.' : null),
    inside: [],
  });
  return isMatch;
}

/** F-17. A cohort is computed once for each subject: cohorts may refer to each other many times. */
function cohortMatches(
  { cohort, definition, isNegative }: CohortProperty,
  subjects: Subjects,
  recorder: PropertyRecorder | null,
): boolean {
  const { cohorts } = cacheOf(subjects.context);
  const isRecorded = recorder !== null && recorder.cohorts.has(cohort);
  const inside: PropertyRecorder | null =
    recorder === null || isRecorded ? null : { traces: [], cohorts: recorder.cohorts };
  recorder?.cohorts.add(cohort);
  let isMember = cohort.isStatic
    ? (subjects.context.memberOf?.has(cohort.id) ?? false)
    : cohorts.get(cohort.id);
  if (isMember === undefined || (inside !== null && !cohort.isStatic)) {
    isMember = treeMatches(cohort.tree, subjects, inside);
    cohorts.set(cohort.id, isMember);
  }
  recorder?.traces.push({
    key: textOf(definition.key),
    type: 'cohort',
    operator: isNegative ? 'not_in' : 'in',
    wanted: definition.value ?? null,
    got: isMember,
    source: 'cohort',
    matched: isMember !== isNegative,
    note: noteOf(cohort, isRecorded),
    inside: inside?.traces ?? [],
  });
  return isMember !== isNegative;
}

function noteOf({ name, isStatic }: CompiledCohort, isRecorded: boolean): string {
  if (isStatic) return `${name}: a list of persons`;
  return isRecorded ? `${name}: see above` : name;
}

function treeMatches(
  { isAnd, parts }: CompiledTree,
  subjects: Subjects,
  recorder: PropertyRecorder | null,
): boolean {
  let isMatch = isAnd;
  for (const part of parts) {
    const partMatches =
      part.kind === 'tree' ? treeMatches(part, subjects, recorder) : leafMatches(part, subjects, recorder);
    if (partMatches === isAnd) continue;
    isMatch = !isAnd;
    if (recorder === null) return isMatch;
  }
  return isMatch;
}

/** Cohorts are about the person, also in a condition about a group. */
function leafMatches(
  { property, isNegated }: CompiledLeaf,
  { context, person }: Subjects,
  recorder: PropertyRecorder | null,
): boolean {
  const isMatch = propertyMatches(property, { context, person, subject: person }, recorder) !== isNegated;
  const trace = recorder?.traces.at(-1);
  if (trace !== undefined && isNegated) {
    trace.matched = isMatch;
    trace.note = trace.note === null ? 'turned round' : `${trace.note}; turned round`;
  }
  return isMatch;
}

/** F-16. */
function dependencyMatches(
  { flag, definition }: DependencyProperty,
  context: FlagContext,
  recorder: PropertyRecorder | null,
): boolean {
  const wanted = definition.value;
  const value = flag === null ? null : (cacheOf(context).flags.get(flag) ?? null);
  const isMatch =
    flag !== null && (typeof wanted === 'boolean' ? (value !== false) === wanted : value === wanted);
  recorder?.traces.push({
    key: flag?.definition.key ?? textOf(definition.key),
    type: 'flag',
    operator: 'flag_evaluates_to',
    wanted: wanted ?? null,
    got: value,
    source: flag === null ? 'none' : 'flag',
    matched: isMatch,
    note: flag === null ? 'This flag does not exist.' : null,
    inside: [],
  });
  return isMatch;
}

/** `seen` is null for a condition about a group that the request does not name. */
function recordCondition(
  recorder: Recorder,
  { index, groupIndex, variant, properties }: CompiledCondition,
  { groupTypes }: FlagContext,
  seen: (Pick<ConditionTrace, 'properties' | 'rollout' | 'outcome'> & { key: string }) | null,
): void {
  const lacksFlag = properties.some((property) => property.kind === 'flag' && property.flag === null);
  const type = groupIndex === null ? null : (groupTypes[groupIndex] ?? null);
  recorder.conditions.push({
    index,
    group: groupIndex === null ? null : { type, key: seen?.key ?? null },
    properties: seen?.properties ?? [],
    rollout: seen?.rollout ?? null,
    variant_override: variant,
    outcome: seen === null ? 'no_group_type' : lacksFlag ? 'missing_dependency' : seen.outcome,
  });
}

function traceOf(
  { enrollment, holdout, conditions, variants }: Recorder,
  flag: CompiledFlag,
  context: FlagContext,
  { reason }: FlagEvaluation,
): FlagTrace {
  const decidedBy = decidedByOf(flag, reason.code);
  const decidedIndex = decidedBy === 'condition' ? reason.conditionIndex : null;
  return {
    decided_by: decidedBy,
    identifier: { ...identifierOf(flag, context) },
    enrollment,
    holdout,
    conditions: conditions.map((condition) => ({ ...condition, decided: condition.index === decidedIndex })),
    variant: decidedIndex === null ? null : (variants.get(decidedIndex) ?? null),
  };
}

function decidedByOf(flag: CompiledFlag, code: FlagEvaluation['reason']['code']): FlagTrace['decided_by'] {
  switch (code) {
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

/** Properties come out of JSON.parse. */
function json(value: unknown): NonNullable<FlagTrace['enrollment']>['got'] {
  return (value ?? null) as never;
}
