import type { FlagDefinition, FlagSet } from '../../conditions/index.ts';
import type { FlagsRequest } from './decide.contract.ts';
import type { Asking } from './evaluation.ts';

/** Keys of the flags that surveys make for themselves. */
const SURVEY_PREFIX = 'survey-targeting-';

/** Which of a project's flags a request is about (ingestion contract 8.5). What they depend on is evaluated anyway. */
export interface WantedFlags {
  has(definition: FlagDefinition): boolean;
}

/** Reads what the request says about flags. */
export function wantedFlags(
  set: FlagSet,
  request: Pick<FlagsRequest, 'flagKeys' | 'evaluationContexts'>,
  { runtime, surveysOnly }: Pick<Asking, 'runtime' | 'surveysOnly'>,
): WantedFlags {
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

/** Of a list that may be long, and may hold anything. */
function knownKeys(set: FlagSet, keys: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const key of keys) if (set.find(key) !== null || set.errors.has(key)) found.add(key);
  return found;
}
