import type { ConditionTrace, FlagTrace } from '../../../server/conditions/flags/trace.contract.ts';
import type { FlagDetails } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import { type HashRange, formatBound, formatHash } from './hash-bar.ts';
import { checksOf, type Check, type LadderNames } from './checks.ts';

/** What of a flag's definition a trace does not repeat. */
export interface FlagShape {
  variants: readonly { key: string; rollout_percentage: number }[];
  /** What people call the condition sets, in their order. */
  setNames: readonly (string | null | undefined)[];
}

export interface LadderInput {
  flagKey: string;
  trace: FlagTrace;
  /** The flag in the answer; `null` when it is not in it. */
  details: FlagDetails | null;
  shape: FlagShape | null;
  names: LadderNames;
}

/** `off`: it was not evaluated. */
export type RungState = 'yes' | 'no' | 'off' | 'plain';

export type RungKind =
  'flag' | 'override' | 'dependency' | 'enrollment' | 'holdout' | 'set' | 'rollout' | 'variant' | 'payload';

/** One step on the way to an answer. */
export interface Rung {
  /** The same for the same step of another context. */
  id: string;
  kind: RungKind;
  state: RungState;
  title: string;
  /** The rest of the sentence; text in backticks is code. */
  hint: string;
  checks: readonly Check[];
  bar: { hash: number | null; ranges: readonly HashRange[]; label: string } | null;
  /** JSON text. */
  payload: string | null;
  /** The answer comes from this step. */
  isDeciding: boolean;
}

const IDENTIFIERS: Readonly<Record<FlagTrace['identifier']['kind'], string>> = {
  distinct_id: '',
  anon_distinct_id: ', by the anonymous ID',
  stored: ', by the first ID of this person',
  device_id: ', by the device ID',
  group_key: '',
};

/** The way to a flag's answer, from the top: is it on, who is let in before the sets, each set, which variant, which payload. */
export function ladderOf(input: LadderInput): Rung[] {
  const { trace, details } = input;
  const rungs = [flagRung(input), ...specialRungs(trace), ...setRungs(input)];
  if (trace.variant !== null) rungs.push(variantRung(input, trace.variant));
  const payload = details?.metadata.payload ?? null;
  if (payload !== null) rungs.push(rung('payload', 'payload', 'plain', 'Payload', '', { payload }));
  return rungs;
}

/** The first step at which two ways part; `null` when they are the same. */
export function partingOf(one: readonly Rung[], other: readonly Rung[]): string | null {
  for (let place = 0; place < Math.max(one.length, other.length); place += 1) {
    const [a, b] = [one[place], other[place]];
    const isSame = a?.id === b?.id && a?.state === b?.state && a?.payload === b?.payload;
    const isSameVariant = a?.kind !== 'variant' || a.title === b?.title;
    if (!isSame || !isSameVariant) return a?.id ?? b?.id ?? null;
  }
  return null;
}

function rung(
  id: string,
  kind: RungKind,
  state: RungState,
  title: string,
  hint: string,
  more: Partial<Rung> = {},
): Rung {
  return { id, kind, state, title, hint, checks: [], bar: null, payload: null, isDeciding: false, ...more };
}

function flagRung({ trace }: LadderInput): Rung {
  if (trace.decided_by === 'disabled')
    return rung('flag', 'flag', 'no', 'The flag is disabled', 'so nothing else is evaluated', {
      isDeciding: true,
    });
  const isGroup = trace.identifier.kind === 'group_key';
  const about = isGroup ? 'and matches by group' : 'and matches by person';
  return rung('flag', 'flag', 'yes', 'The flag is enabled', about + IDENTIFIERS[trace.identifier.kind]);
}

function specialRungs(trace: FlagTrace): Rung[] {
  const { decided_by: by, enrollment, holdout } = trace;
  if (by === 'dependency') return dependencyRungs(trace);
  const rungs: Rung[] = [];
  if (by === 'override') {
    const hint = 'replaces the result; without it, the flag would be evaluated as follows';
    rungs.push(rung('override', 'override', 'yes', 'Local override', hint, { isDeciding: true }));
  }
  if (enrollment !== null) {
    const isDeciding = by === 'enrollment';
    const hint = isDeciding
      ? enrollment.matched
        ? 'opted in, so condition sets are not evaluated'
        : 'opted out, so condition sets are not evaluated'
      : 'neither opted in nor out, so condition sets decide';
    const state = isDeciding ? (enrollment.matched ? 'yes' : 'no') : 'plain';
    rungs.push(rung('enrollment', 'enrollment', state, 'Early access', hint, { isDeciding }));
  }
  if (holdout !== null) rungs.push(holdoutRung(holdout, by === 'holdout'));
  return rungs;
}

/** Decided before early access and holdout, which exist and were not evaluated. */
function dependencyRungs({ enrollment, holdout, conditions }: FlagTrace): Rung[] {
  const asked = conditions.flatMap(({ properties }) => properties);
  const missing = asked.find(({ type, source }) => type === 'flag' && source === 'none');
  const hint = `on the flag \`${missing?.key ?? ''}\`, which does not exist, so nothing else is evaluated`;
  const unasked = (kind: 'enrollment' | 'holdout', title: string) =>
    rung(kind, kind, 'off', title, 'not evaluated');
  return [
    rung('dependency', 'dependency', 'no', 'Depends', hint, { isDeciding: true }),
    ...(enrollment === null ? [] : [unasked('enrollment', 'Early access')]),
    ...(holdout === null ? [] : [unasked('holdout', `Holdout ${holdout.id}`)]),
  ];
}

function holdoutRung(holdout: NonNullable<FlagTrace['holdout']>, isDeciding: boolean): Rung {
  const { id, hash, threshold, matched } = holdout;
  const where =
    hash === null ? '' : `: the hash ${formatHash(hash)} is ${sideOf(matched)} ${formatBound(threshold)}`;
  const hint = matched ? `excludes this user from experiments${where}` : `does not exclude this user${where}`;
  const bar = { hash, ranges: [range('held out', 0, threshold)], label: `Holdout${where}` };
  const state = matched ? 'yes' : 'plain';
  return rung('holdout', 'holdout', state, `Holdout ${id}`, hint, { bar, isDeciding });
}

function setRungs(input: LadderInput): Rung[] {
  const decided = input.trace.conditions.findIndex((condition) => condition.decided);
  const isBefore = ['enrollment', 'holdout', 'disabled', 'dependency'].includes(input.trace.decided_by);
  return input.trace.conditions.flatMap((condition, place) => {
    const isAsked = !isBefore && (decided === -1 || place <= decided);
    return setRungsOf(input, condition, isAsked);
  });
}

function setRungsOf(input: LadderInput, condition: ConditionTrace, isAsked: boolean): Rung[] {
  const { index, properties, rollout, outcome, decided: isDeciding } = condition;
  const checks = checksOf(properties, input.names);
  const isPassed = outcome === 'match' || outcome === 'out_of_rollout_bound';
  const state = isAsked ? (isPassed ? 'yes' : 'no') : 'off';
  const name = input.shape?.setNames[index];
  const title = name ? `Set ${index + 1}, ${name}` : `Set ${index + 1}`;
  const hint = isAsked ? setHint(condition) : unaskedHint(isPassed);
  const isWhole = rollout === null || rollout.percentage >= 100;
  const set = rung(`set-${index}`, 'set', state, title, hint, { checks, isDeciding: isDeciding && isWhole });
  if (!isPassed || isWhole) return [set];
  return [set, rolloutRung(input, condition, rollout, isAsked)];
}

function setHint({ properties, outcome, rollout, group }: ConditionTrace): string {
  const share = `${rollout?.percentage ?? 100}%`;
  if (outcome === 'no_group_type') return `requires a ${group?.type ?? 'group'}, but none is set`;
  if (outcome === 'missing_dependency') return 'depends on a flag that does not exist';
  if (outcome === 'no_condition_match') return `does not match, so its ${share} rollout is not evaluated`;
  if (properties.length === 0) return 'has no conditions, so everyone matches';
  return 'matches';
}

function unaskedHint(isPassed: boolean): string {
  return isPassed ? 'not evaluated; it would match' : 'not evaluated';
}

function rolloutRung(
  { flagKey, trace }: LadderInput,
  { index, group, decided: isDeciding }: ConditionTrace,
  rollout: NonNullable<ConditionTrace['rollout']>,
  isAsked: boolean,
): Rung {
  const { percentage, hash, threshold, matched } = rollout;
  const hashed = group === null ? trace.identifier.value : group.key;
  const enough = matched || hash === null ? '' : `; included from ${percentFor(hash)}%`;
  const hint =
    hash === null
      ? `there is no ID to hash, so ${matched ? 'it matches' : 'it does not match'}`
      : `the hash of \`${flagKey}.${hashed ?? ''}\` is ${formatHash(hash)}, ${sideOf(matched)} ${formatBound(threshold)}${enough}`;
  const label =
    hash === null ? hint : `Hash ${formatHash(hash)} is ${sideOf(matched)} ${formatBound(threshold)}`;
  const state = isAsked ? (matched ? 'yes' : 'no') : 'off';
  const bar = { hash, ranges: [range('in', 0, threshold)], label };
  return rung(`rollout-${index}`, 'rollout', state, `Rollout ${percentage}%`, hint, { bar, isDeciding });
}

function variantRung({ shape }: LadderInput, variant: NonNullable<FlagTrace['variant']>): Rung {
  const { key, by, hash, from, to } = variant;
  if (by === 'override')
    return rung('variant', 'variant', 'yes', `Variant ${key}`, 'set for everyone in this condition set');
  if (key === null) {
    const hint =
      hash === null ? '' : `the variant hash, ${formatHash(hash)}, is beyond all variant percentages`;
    return rung('variant', 'variant', 'no', 'No variant', hint, {
      bar: { hash, ranges: rangesOf(shape, null), label: hint },
    });
  }
  const hint =
    hash === null || from === null || to === null
      ? ''
      : `the variant hash, ${formatHash(hash)}, is between ${formatBound(from)} and ${formatBound(to)}`;
  const ranges = rangesOf(shape, key);
  const known = ranges.length > 0 ? ranges : rangesAround(key, from ?? 0, to ?? 1);
  const bar = { hash, ranges: known, label: `Variant hash in ${key}: ${hint}` };
  return rung('variant', 'variant', 'yes', `Variant ${key}`, hint, { bar });
}

function rangesOf(shape: FlagShape | null, hit: string | null): HashRange[] {
  let end = 0;
  return (shape?.variants ?? []).map(({ key, rollout_percentage: share }) => {
    const from = end;
    end += share / 100;
    return { name: key, from, to: end, isHit: key === hit };
  });
}

/** The one range that a trace names, where the flag's definition is not known. */
function rangesAround(key: string, from: number, to: number): HashRange[] {
  const before = { name: 'others', from: 0, to: from, isHit: false };
  const after = { name: 'others', from: to, to: 1, isHit: false };
  return [before, range(key, from, to), after].filter((part) => part.to > part.from);
}

function range(name: string, from: number, to: number): HashRange {
  return { name, from, to, isHit: true };
}

/** The smallest whole rollout that lets a hash in. */
function percentFor(hash: number): number {
  return Math.min(100, Math.ceil(hash * 100));
}

/** The threshold itself is in (F-11). */
function sideOf(isIn: boolean): string {
  return isIn ? 'within' : 'above';
}
