import type { ManagementRoute, ProjectRef } from '../../../http/define-route.ts';
import type { PublicRoute } from '../../../http/public-route.ts';
import { flagsRequestFor, type FlagValue } from './decide.contract.ts';
import { valueOf } from './decide-response.ts';
import { decideRoutes, type DecideDeps } from './decide.routes.ts';
import { createEvaluateFlags, type EvaluateFlagsDeps } from './evaluate-flags.ts';
import type { EvaluateFlags, FlagResult } from './evaluation.ts';
import { explainRoutes, type ExplainDeps } from './explain-routes.ts';
import { namedRequest } from './open-flags-request.ts';

/** The value of a flag, and how it came about. */
export interface FlagAnswer {
  value: FlagValue;
  reason: FlagResult['reason'];
}

export interface Decide {
  readonly publicRoutes: readonly PublicRoute[];
  readonly routes: readonly ManagementRoute[];
  /** The active flags of one user by their keys, as a client of theirs would be answered; it changes nothing. */
  evaluateFor(
    project: ProjectRef,
    user: { distinctId: string; groups: Readonly<Record<string, unknown>> },
  ): Promise<Map<string, FlagAnswer>>;
}

/** Decide: evaluates flags for one subject by `/flags` or `/decide`, and explains the values. */
export function createDecide(
  deps: Omit<DecideDeps, 'evaluateFlags'> & EvaluateFlagsDeps & Omit<ExplainDeps, 'evaluateFlags'>,
): Decide {
  const evaluateFlags: EvaluateFlags = createEvaluateFlags(deps);
  return {
    publicRoutes: decideRoutes({ ...deps, evaluateFlags }),
    routes: explainRoutes({ ...deps, evaluateFlags }),
    async evaluateFor(project, { distinctId, groups }) {
      const { flags } = await evaluateFlags(project, namedRequest(flagsRequestFor(distinctId, groups)), {
        now: deps.clock(),
        ip: null,
        runtime: 'all',
        surveysOnly: false,
        trace: false,
        mayRemember: false,
      });
      const active = flags.filter((flag) => flag.active);
      return new Map(active.map((flag) => [flag.key, { value: valueOf(flag), reason: flag.reason }]));
    },
  };
}
