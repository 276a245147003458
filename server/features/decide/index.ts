import type { Feature } from '../../http/define-route.ts';
import { decideRoutes, type DecideDeps } from './decide.routes.ts';
import { NO_FLAGS, type EvaluateFlags } from './evaluation.ts';
import { flagDefinitionsRoutes, type FlagDefinitionsDeps } from './flag-definitions.routes.ts';

export type { FlagsRequest } from './decide.contract.ts';
export type { EvaluateFlags, Evaluation, FlagResult } from './evaluation.ts';

/** Without an evaluator every project is one without flags. */
export type DecideOptions = Omit<DecideDeps, 'evaluateFlags'> &
  FlagDefinitionsDeps & { evaluateFlags?: EvaluateFlags };

/** Decide: what SDKs ask for one user (`/flags`, `/decide`), and the definitions to answer it themselves. */
export function createDecide(options: DecideOptions): Feature {
  return {
    name: 'decide',
    publicRoutes: [
      ...decideRoutes({ evaluateFlags: () => NO_FLAGS, ...options }),
      ...flagDefinitionsRoutes(options),
    ],
  };
}
