import type { Db } from '../../db/db.ts';
import { routesOf, type Actor, type ManagementRoute, type ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { flagStatusOf } from './flag-status.ts';
import { listLastCalls } from './feature-flags.reads.ts';
import { localDefinitionsOf } from './local-definitions.ts';
import type { CohortSource } from './flag-memory.ts';
import type { FeatureFlags } from './feature-flags.service.ts';
import type { FlagOverrides } from './overrides/flag-overrides.service.ts';
import { type FlagNoteJson, featureFlagsApi } from './feature-flags.contract.ts';
import { localEvaluations } from './local-evaluation.ts';

const route = routesOf(featureFlagsApi);

export interface FlagNoteParts {
  flags: Pick<FeatureFlags, 'list' | 'set'>;
  cohorts: Pick<CohortSource, 'definitions'>;
  overrides: Pick<FlagOverrides, 'count'>;
  /** Names of a project's types of groups by their index, as text. */
  groupTypes: (projectId: number) => Promise<Record<string, string>>;
  access: Access;
  db: Db;
  clock: Clock;
}

export function flagNoteRoutes(parts: FlagNoteParts): ManagementRoute[] {
  const { flags, cohorts, overrides, access, db, clock } = parts;

  async function notesFor(actor: Actor, { id: projectId, timezone }: ProjectRef): Promise<FlagNoteJson[]> {
    const [groupTypes, calls] = await Promise.all([
      parts.groupTypes(projectId),
      listLastCalls(db, projectId),
    ]);
    const now = clock();
    const [all, set, known] = [flags.list(projectId), flags.set(projectId), cohorts.definitions(projectId)];
    const definitions = localDefinitionsOf({ flags: all, set, cohorts: known, groupTypes, timezone }, true);
    const local = localEvaluations(definitions, new Map(known.map((cohort) => [cohort.id, cohort])));
    return all
      .filter((flag) => access.levelOf(actor, projectId, 'feature_flag', flag) !== 'none')
      .map((flag) => {
        const { works, reason, properties } = local.get(flag.key)!;
        return {
          id: flag.id,
          key: flag.key,
          local_evaluation: { works, reason, properties: [...properties] },
          error: set.errors.get(flag.key) ?? null,
          is_stale: flagStatusOf(flag, calls.get(flag.id) ?? null, now).status === 'STALE',
          overrides: overrides.count(projectId, flag.key),
        };
      });
  }

  return [
    route('GET P/burrow/feature_flags/notes/', {
      auth: 'key',
      scope: ['feature_flag:read'],
      summary: 'Returns notes for every flag: local evaluation support, errors and staleness.',
      handle: async ({ project, actor }) => ({ results: await notesFor(actor, project) }),
    }),
  ];
}
