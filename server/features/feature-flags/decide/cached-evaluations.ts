import type { FlagSet } from '../../../conditions/index.ts';
import type { TimeZone } from '../../../lib/time-zone.ts';
import type { Subject } from '../subjects/subject.ts';
import type { FlagsRequest } from './decide.contract.ts';
import type { EvaluationOptions, Evaluation } from './evaluation.ts';
import type { LoadedSubject } from './loaded-subject.ts';
import { inputsOf } from './flag-set-inputs.ts';

/** Maximum cached flag values per flag set; one takes about a hundred bytes. */
const MAX_RESULTS = 400_000;

/** A cached evaluation and its inputs besides the distinct ID. */
interface CachedEvaluation {
  /** Weak, so that a person is not kept in memory by this cache. */
  person: WeakRef<Subject>;
  runtime: EvaluationOptions['runtime'];
  surveysOnly: boolean;
  location: LoadedSubject['location'];
  evaluation: Evaluation;
}

/** The evaluations of a set in the time zone that its project has; by distinct ID. */
interface CachedSet {
  zone: TimeZone;
  persons: Map<string, CachedEvaluation>;
}

const bySet = new WeakMap<FlagSet, CachedSet>();

/**
 * The cached evaluation of a request that contains only a distinct ID, or null. A changed person, time zone or flag set is
 * another object, which invalidates the entry.
 */
export function findCached(
  set: FlagSet,
  zone: TimeZone,
  distinctId: string,
  { person, location }: LoadedSubject,
  options: EvaluationOptions,
): Evaluation | null {
  const cached = bySet.get(set);
  const found = cached?.zone === zone ? cached.persons.get(distinctId) : undefined;
  if (found === undefined || person === null || found.person.deref() !== person) return null;
  if (found.location !== location || found.runtime !== options.runtime) return null;
  return found.surveysOnly === options.surveysOnly ? found.evaluation : null;
}

/** Caches the evaluation, evicting the oldest entry at the limit; returns it. */
export function cacheEvaluation(
  set: FlagSet,
  zone: TimeZone,
  distinctId: string,
  { person, location }: LoadedSubject,
  { runtime, surveysOnly }: EvaluationOptions,
  { flags, errors, quotaLimited, subject }: Evaluation,
): Evaluation {
  if (person === null) return { flags, errors, quotaLimited, subject };
  const evaluation: Evaluation = { flags, errors, quotaLimited, subject: null, texts: {} };
  let cached = bySet.get(set);
  if (cached?.zone !== zone) bySet.set(set, (cached = { zone, persons: new Map() }));
  const { persons } = cached;
  if (persons.size * (set.flags.length + 1) >= MAX_RESULTS) persons.delete(persons.keys().next().value!);
  persons.set(distinctId, { person: new WeakRef(person), runtime, surveysOnly, location, evaluation });
  return evaluation;
}

/** Whether a request contains only a distinct ID and its result depends on nothing but stored data. */
export function isCacheable(set: FlagSet, request: FlagsRequest, options: EvaluationOptions): boolean {
  return (
    !options.trace &&
    !set.readsClock &&
    inputsOf(set).continuity.length === 0 &&
    request.deviceId === null &&
    request.flagKeys === null &&
    request.evaluationContexts === null &&
    isEmpty(request.personProperties) &&
    isEmpty(request.groups)
  );
}

function isEmpty(properties: Readonly<Record<string, unknown>>): boolean {
  for (const key in properties) if (Object.hasOwn(properties, key)) return false;
  return true;
}
