import type { ProjectRef } from '../../../http/define-route.ts';
import { COOKIELESS_DISTINCT_ID } from '../../../lib/cookieless.ts';
import type { Log } from '../../../lib/log.ts';
import { timeZone, type TimeZone } from '../../../lib/time-zone.ts';
import type { FlagContext, FlagDefinition, FlagSet } from '../../../conditions/index.ts';
import type { FlagOverrides } from '../overrides/flag-overrides.service.ts';
import type { FlagSubjects, MaybePromise } from '../subjects/subject.ts';
import type { FlagsRequest } from './decide.contract.ts';
import type { EvaluationOptions, EvaluateFlags, Evaluation, FlagError, FlagResult } from './evaluation.ts';
import { disabledResult, evaluatedResult, overriddenResult } from './flag-result.ts';
import { contextOf, loadSubject, hashKeysOf, type LoadedSubject } from './loaded-subject.ts';
import { inputsOf, type FlagSetInputs } from './flag-set-inputs.ts';

/** Key prefix of flags created by surveys. */
const SURVEY_PREFIX = 'survey-targeting-';

/** The flags selected by a request (ingestion contract 8.5). Their dependencies are evaluated anyway. */
interface FlagSelection {
  has(definition: FlagDefinition): boolean;
}

/** The flags selected by keys, runtime, evaluation contexts and `surveysOnly`. */
function selectFlags(
  set: FlagSet,
  request: Pick<FlagsRequest, 'flagKeys' | 'evaluationContexts'>,
  { runtime, surveysOnly }: Pick<EvaluationOptions, 'runtime' | 'surveysOnly'>,
): FlagSelection {
  const tests: ((definition: FlagDefinition) => boolean)[] = [];
  const { flagKeys, evaluationContexts } = request;
  if (flagKeys !== null) {
    const keys = knownKeys(set, flagKeys);
    tests.push(({ key }) => keys.has(key));
  }
  if (surveysOnly) tests.push(({ key }) => key.startsWith(SURVEY_PREFIX));
  if (runtime !== 'all') {
    tests.push(({ evaluationRuntime }) => evaluationRuntime === 'all' || evaluationRuntime === runtime);
  }
  if (evaluationContexts !== null && evaluationContexts.length > 0) {
    const contexts = new Set(evaluationContexts);
    tests.push(
      ({ evaluationTags }) => evaluationTags.length === 0 || evaluationTags.some((tag) => contexts.has(tag)),
    );
  }
  return { has: (definition) => tests.every((test) => test(definition)) };
}

/** Keys of existing flags among those of the request. */
function knownKeys(set: FlagSet, keys: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const key of keys) if (set.find(key) !== null || set.errors.has(key)) found.add(key);
  return found;
}

export interface EvaluateFlagsDeps {
  flags: {
    set(projectId: number): FlagSet;
    /** A live flag, also one that cannot be computed. */
    findByKey(projectId: number, key: string): FlagDefinition | null;
  };
  overrides: Pick<FlagOverrides, 'overrideOf' | 'hasAny'>;
  subjects: FlagSubjects;
  log: Log;
}

/** One request and the inputs of its evaluation. */
interface Job {
  projectId: number;
  zone: TimeZone;
  request: FlagsRequest;
  options: EvaluationOptions;
  set: FlagSet;
  inputs: FlagSetInputs;
  selection: FlagSelection;
}

const UNREADABLE = 'Stored persons and groups could not be read.';

/**
 * Evaluates flags for a request: the only implementation, for `/decide`, `/flags`, the playground and the management
 * API.
 */
export function createEvaluateFlags(deps: EvaluateFlagsDeps): EvaluateFlags {
  const { flags, overrides, subjects, log } = deps;

  function load({ projectId, request, options, inputs }: Job): MaybePromise<LoadedSubject> {
    const { trace, ip } = options;
    const isCookieless = request.distinctId === COOKIELESS_DISTINCT_ID;
    return loadSubject(subjects, request, {
      projectId,
      person: (inputs.person || trace) && !isCookieless,
      anonymous: inputs.continuity.length > 0,
      groups: inputs.groups || trace,
      ip: (inputs.location || trace) && !request.geoipDisable ? ip : null,
    });
  }

  function evaluate(job: Job, subject: LoadedSubject): Evaluation {
    const { projectId, zone, set, selection, request, options } = job;
    const context = contextOf(request, subject, { set, now: options.now, zone, trace: options.trace });
    const results: FlagResult[] = [];
    const errors: FlagError[] = [];
    const isOverridden = overrides.hasAny(projectId);
    for (const flag of set.flags) {
      const { definition } = flag;
      if (!selection.has(definition)) continue;
      const overridden = isOverridden ? override(projectId, definition, context) : null;
      results.push(overridden ?? evaluatedResult(flag, context));
    }
    for (const [key, cause] of set.errors) {
      const definition = flags.findByKey(projectId, key);
      if (definition === null || !selection.has(definition)) continue;
      const overridden = isOverridden ? override(projectId, definition, context) : null;
      if (overridden !== null) results.push(overridden);
      else if (definition.active) errors.push({ key, cause });
      else results.push(disabledResult(definition));
    }
    return { flags: results, errors, quotaLimited: false, subject };
  }

  function override(projectId: number, definition: FlagDefinition, context: FlagContext): FlagResult | null {
    const found = overrides.overrideOf(projectId, definition.key, context.distinctId);
    return found === null
      ? null
      : overriddenResult(definition, found, context.set.find(definition.key), context);
  }

  /** Without stored data flags cannot be evaluated: they are omitted, and clients keep their previous values. */
  function unreadable({ set, selection }: Job, error: unknown): Evaluation {
    log.warn({ error: String(error) }, 'Feature flags were not computed: persons could not be read');
    const missing = set.flags.filter(({ definition }) => definition.active && selection.has(definition));
    const errors = missing.map(({ definition }) => ({ key: definition.key, cause: UNREADABLE }));
    return { flags: [], errors, quotaLimited: false, subject: null };
  }

  /** F-8: saves the hash key of the first evaluation before responding, so that the value stays the same. */
  function saveHashKeys(job: Job, subject: LoadedSubject, evaluation: Evaluation): MaybePromise<Evaluation> {
    const keys = hashKeysToSave(job, subject);
    if (keys.length === 0) return evaluation;
    const { distinctId, anonDistinctId } = job.request;
    return subjects
      .rememberHashKeys(job.projectId, [distinctId, anonDistinctId!], keys, anonDistinctId!)
      .then(
        () => evaluation,
        (error: unknown) => {
          log.warn({ error: String(error) }, 'It was not kept whom feature flags count a person as');
          return evaluation;
        },
      );
  }

  return (project: ProjectRef, request, options) => {
    const set = flags.set(project.id);
    const inputs = inputsOf(set);
    const selection = selectFlags(set, request, options);
    const job: Job = {
      projectId: project.id,
      zone: timeZone(project.timezone),
      request,
      options,
      set,
      inputs,
      selection,
    };
    const answer = (subject: LoadedSubject): MaybePromise<Evaluation> =>
      saveHashKeys(job, subject, evaluate(job, subject));
    const subject = load(job);
    if (!(subject instanceof Promise)) return answer(subject);
    return subject.then(answer, (error: unknown) => unreadable(job, error));
  };
}

/** An unused distinct ID has neither person nor placeholder, so nothing is saved for it. */
function hashKeysToSave(
  { request, options, inputs }: Job,
  { person, anonymous }: LoadedSubject,
): readonly string[] {
  if (inputs.continuity.length === 0 || request.anonDistinctId === null || !options.mayRemember) return [];
  if (person === null && anonymous === null) return [];
  const kept = hashKeysOf(person, anonymous);
  return kept === null ? inputs.continuity : inputs.continuity.filter((key) => !kept.has(key));
}
