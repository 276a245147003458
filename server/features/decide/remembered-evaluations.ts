import type { FlagSet } from '../../conditions/index.ts';
import type { Subject } from '../flag-subjects/index.ts';
import type { FlagsRequest } from './decide.contract.ts';
import type { Asking, Evaluation } from './evaluation.ts';
import type { Known } from './known-subject.ts';
import { needsOf } from './set-needs.ts';

/** Values of flags that are remembered for each set of flags; one takes about a hundred bytes. */
const LIMIT_RESULTS = 400_000;

/** What an evaluation was made for, beside its distinct id. */
interface Remembered {
  /** Weak: what is large of a person is not held longer than elsewhere. */
  person: WeakRef<Subject>;
  runtime: Asking['runtime'];
  surveysOnly: boolean;
  location: Known['location'];
  evaluation: Evaluation;
}

const bySet = new WeakMap<FlagSet, Map<string, Remembered>>();

/**
 * The evaluation of a request that says nothing but who asks, as it was for the same person before; null when there is
 * none. A person or set that changes is another object, so what is remembered of it does not count any more.
 */
export function findRemembered(
  set: FlagSet,
  distinctId: string,
  { person, location }: Known,
  asking: Asking,
): Evaluation | null {
  const found = bySet.get(set)?.get(distinctId);
  if (found === undefined || person === null || found.person.deref() !== person) return null;
  if (found.location !== location || found.runtime !== asking.runtime) return null;
  return found.surveysOnly === asking.surveysOnly ? found.evaluation : null;
}

/** Remembers an evaluation of such a request, in place of the oldest where there is no room; returns it. */
export function rememberEvaluation(
  set: FlagSet,
  distinctId: string,
  { person, location }: Known,
  { runtime, surveysOnly }: Asking,
  { flags, errors, quotaLimited, known }: Evaluation,
): Evaluation {
  if (person === null) return { flags, errors, quotaLimited, known };
  const evaluation: Evaluation = { flags, errors, quotaLimited, known: null, texts: {} };
  let persons = bySet.get(set);
  if (persons === undefined) bySet.set(set, (persons = new Map()));
  else if (persons.size * (set.flags.length + 1) >= LIMIT_RESULTS)
    persons.delete(persons.keys().next().value!);
  persons.set(distinctId, { person: new WeakRef(person), runtime, surveysOnly, location, evaluation });
  return evaluation;
}

/** Whether a request says nothing but who asks, and its answer stays the same while nothing that is stored changes. */
export function isPlain(set: FlagSet, request: FlagsRequest, asking: Asking): boolean {
  return (
    !asking.trace &&
    !set.readsClock &&
    needsOf(set).continuity.length === 0 &&
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
