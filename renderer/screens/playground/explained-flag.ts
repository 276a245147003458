import type {
  FlagDetails,
  FlagExplanation,
} from '../../../server/features/feature-flags/decide/decide.contract.ts';
import type { FlagTrace } from '../../../server/conditions/flags/trace.contract.ts';
import { titleOf } from '../../ui/person-labels.ts';
import type { LadderNames } from './checks.ts';
import { headlineOf, type Headline } from './headline.ts';
import { ladderOf, type FlagShape, type Rung } from './ladder.ts';

/** One flag of an explanation, ready to be shown. */
export interface ExplainedFlag {
  headline: Headline | null;
  rungs: Rung[];
  /** Why it could not be computed. */
  error: string | null;
  trace: FlagTrace | null;
  details: FlagDetails | null;
}

/** The sentence and the ladder of one flag; without a trace only what is known of it. */
export function explainedFlag(
  explanation: FlagExplanation,
  key: string,
  { shape, names }: { shape: FlagShape | null; names: LadderNames },
): ExplainedFlag {
  const trace = Object.hasOwn(explanation.traces, key) ? explanation.traces[key]! : null;
  const details = Object.hasOwn(explanation.answer.flags, key) ? explanation.answer.flags[key]! : null;
  const error = explanation.errors.find((failed) => failed.key === key)?.cause ?? null;
  const rungs = trace === null ? [] : ladderOf({ flagKey: key, trace, details, shape, names });
  const headline = trace === null ? null : headlineOf(trace, details);
  return { headline, rungs, error, trace, details };
}

/** The display name of the evaluated person: the stored name, else the distinct id. */
export function callerName(explanation: FlagExplanation, distinctId: string): string {
  return explanation.person ? titleOf(explanation.person) : distinctId;
}
