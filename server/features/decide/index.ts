import type { Feature } from '../../http/define-route.ts';
import { decideRoutes, type DecideDeps } from './decide.routes.ts';
import { NO_FLAGS } from './evaluation.ts';

export type { FlagsRequest } from './decide.contract.ts';
export type { EvaluateFlags, Evaluation, FlagResult } from './evaluation.ts';

/** Without an evaluator every project is one without flags; without a limiter there are no limits. */
export type DecideOptions = Omit<DecideDeps, 'evaluateFlags' | 'limiter'> &
  Partial<Pick<DecideDeps, 'evaluateFlags' | 'limiter'>>;

/** Decide: what SDKs ask for one user, by `/flags` or `/decide`. */
export function createDecide(options: DecideOptions): Feature {
  const deps = { evaluateFlags: () => NO_FLAGS, limiter: null, ...options };
  return { name: 'decide', publicRoutes: decideRoutes(deps) };
}
