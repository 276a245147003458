import type { ProjectRef } from '../../http/define-route.ts';
import { COOKIELESS_DISTINCT_ID } from '../../lib/cookieless.ts';
import type { Log } from '../../lib/log.ts';
import type { FlagContext, FlagDefinition, FlagSet } from '../../conditions/index.ts';
import type { FlagOverrides } from '../flag-overrides/index.ts';
import type { FlagSubjects, Soon } from '../flag-subjects/index.ts';
import type { FlagsRequest } from './decide.contract.ts';
import type { Asking, EvaluateFlags, Evaluation, FlagError, FlagResult } from './evaluation.ts';
import { disabledResult, evaluatedResult, overriddenResult } from './flag-result.ts';
import { contextOf, findKnown, hashKeysOf, type Known } from './known-subject.ts';
import { findRemembered, isPlain, rememberEvaluation } from './remembered-evaluations.ts';
import { needsOf, type SetNeeds } from './set-needs.ts';
import { wantedFlags, type WantedFlags } from './wanted-flags.ts';

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

/** One request and what is to be computed for it. */
interface Job {
  projectId: number;
  request: FlagsRequest;
  asking: Asking;
  set: FlagSet;
  needs: SetNeeds;
  wanted: WantedFlags;
}

const UNREADABLE = 'What is stored of persons and groups could not be read.';

/** The one way from a request to the values of flags: for `/decide`, `/flags`, the playground and the management API. */
export function createEvaluateFlags(deps: EvaluateFlagsDeps): EvaluateFlags {
  const { flags, overrides, subjects, log } = deps;

  function look({ projectId, request, asking, needs }: Job): Soon<Known> {
    const { trace, ip } = asking;
    const isCookieless = request.distinctId === COOKIELESS_DISTINCT_ID;
    return findKnown(subjects, request, {
      projectId,
      person: (needs.person || trace) && !isCookieless,
      anonymous: needs.continuity.length > 0,
      groups: needs.groups || trace,
      ip: (needs.location || trace) && !request.geoipDisable ? ip : null,
    });
  }

  function evaluate(job: Job, known: Known): Evaluation {
    const { projectId, set, wanted, request, asking } = job;
    const context = contextOf(request, known, { set, now: asking.now, trace: asking.trace });
    const results: FlagResult[] = [];
    const errors: FlagError[] = [];
    const isOverridden = overrides.hasAny(projectId);
    for (const flag of set.flags) {
      const { definition } = flag;
      if (!wanted.has(definition)) continue;
      const forced = isOverridden ? override(projectId, definition, context) : null;
      results.push(forced ?? evaluatedResult(flag, context));
    }
    for (const [key, cause] of set.errors) {
      const definition = flags.findByKey(projectId, key);
      if (definition === null || !wanted.has(definition)) continue;
      const forced = isOverridden ? override(projectId, definition, context) : null;
      if (forced !== null) results.push(forced);
      else if (definition.active) errors.push({ key, cause });
      else results.push(disabledResult(definition));
    }
    return { flags: results, errors, quotaLimited: false, known };
  }

  /** Most requests say who asks and nothing else, again and again. */
  function evaluateOnce(job: Job, known: Known): Evaluation {
    const { set, asking } = job;
    if (!isPlain(set, job.request, asking) || overrides.hasAny(job.projectId)) return evaluate(job, known);
    const { distinctId } = job.request;
    return (
      findRemembered(set, distinctId, known, asking) ??
      rememberEvaluation(set, distinctId, known, asking, evaluate(job, known))
    );
  }

  function override(projectId: number, definition: FlagDefinition, context: FlagContext): FlagResult | null {
    const found = overrides.overrideOf(projectId, definition.key, context.distinctId);
    return found === null
      ? null
      : overriddenResult(definition, found, context.set.find(definition.key), context);
  }

  /** Without what is stored nobody can say what the flags are: they are absent, and clients keep what they had. */
  function unreadable({ set, wanted }: Job, error: unknown): Evaluation {
    log.warn({ error: String(error) }, 'Feature flags were not computed: persons could not be read');
    const missing = set.flags.filter(({ definition }) => definition.active && wanted.has(definition));
    const errors = missing.map(({ definition }) => ({ key: definition.key, cause: UNREADABLE }));
    return { flags: [], errors, quotaLimited: false, known: null };
  }

  /** F-8: whom the person was counted as the first time is kept; the answer waits for it, so that it stays the same. */
  function remember(job: Job, known: Known, evaluation: Evaluation): Soon<Evaluation> {
    const keys = keysToRemember(job, known);
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

  return (project: ProjectRef, request, asking) => {
    const set = flags.set(project.id);
    const needs = needsOf(set);
    const wanted = wantedFlags(set, request, asking);
    const job: Job = { projectId: project.id, request, asking, set, needs, wanted };
    const answer = (known: Known): Soon<Evaluation> => remember(job, known, evaluateOnce(job, known));
    const known = look(job);
    if (!(known instanceof Promise)) return answer(known);
    return known.then(answer, (error: unknown) => unreadable(job, error));
  };
}

/** Nothing is kept of a distinct id that no event has carried: it has no person, and no placeholder. */
function keysToRemember({ request, asking, needs }: Job, { person, anonymous }: Known): readonly string[] {
  if (needs.continuity.length === 0 || request.anonDistinctId === null || !asking.mayRemember) return [];
  if (person === null && anonymous === null) return [];
  const kept = hashKeysOf(person, anonymous);
  return kept === null ? needs.continuity : needs.continuity.filter((key) => !kept.has(key));
}
