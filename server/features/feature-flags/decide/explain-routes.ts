import type { Db } from '../../../db/db.ts';
import { type ManagementRoute, type ProjectRef, routesOf } from '../../../http/define-route.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { NewId } from '../../../lib/ids.ts';
import { findPerson } from '../../persons/index.ts';
import { detailedAnswer } from './decide-response.ts';
import { type FlagExplanation, type FlagsRequest, decideApi } from './decide.contract.ts';
import type { EvaluateFlags } from './evaluation.ts';
import { runtimeOf } from './evaluation-runtime.ts';
import { namedRequest } from './open-flags-request.ts';

const route = routesOf(decideApi);

export interface ExplainDeps {
  db: Db;
  evaluateFlags: EvaluateFlags;
  clock: Clock;
  newId: NewId;
}

/** The question of the playground: what a user would be answered, and why. It changes nothing. */
export function explainRoutes(deps: ExplainDeps): ManagementRoute[] {
  // The console's path beside that of management contract 9.12.
  return (['P/burrow/flags/evaluate/', 'P/burrow/feature_flags/explain/'] as const).map((path) =>
    route(`POST ${path}`, {
      auth: 'key',
      scope: ['feature_flag:read'],
      // The answer quotes what is stored of persons and groups.
      andScope: ['person:read', 'group:read'],
      summary: 'Evaluates feature flags like /flags and explains each value.',
      errors: ['missing_distinct_id'],
      handle: ({ project, body: { request, ip } }) => explain(deps, project, namedRequest(request), ip),
    }),
  );
}

async function explain(
  { db, evaluateFlags, clock, newId }: ExplainDeps,
  project: ProjectRef,
  request: FlagsRequest,
  ip: string | null,
): Promise<FlagExplanation> {
  const now = clock();
  const evaluation = await evaluateFlags(project, request, {
    now,
    ip,
    // The runtime is not detected from headers: this request is sent by the console.
    runtime: runtimeOf(request.evaluationRuntime ?? 'all', {}),
    surveysOnly: false,
    trace: true,
    mayRemember: false,
  });
  const { flags, errors, subject: known } = evaluation;
  const personId = known?.person?.uuid == null ? null : known.person.personId;
  return {
    answer: detailedAnswer(evaluation, { requestId: newId(), evaluatedAt: now }),
    traces: Object.fromEntries(
      flags.flatMap(({ key, trace }) => (trace === undefined ? [] : [[key, trace]])),
    ),
    errors: [...errors],
    person: personId === null ? null : await findPerson(db, personId),
    groups: Object.fromEntries(
      (known?.groups ?? []).map(({ type, key, stored }) => [
        type,
        { key, properties: stored?.properties ?? null },
      ]),
    ),
    geoip: known?.location ?? null,
  };
}
