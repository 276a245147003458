import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { type ManagementRoute, type ProjectRef, routesOf } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { dependentsOf } from './check-neighbours.ts';
import { idOf } from './check-property.ts';
import { type EvaluationReasons, featureFlagsApi } from './feature-flags.contract.ts';
import { listLastCalls } from './feature-flags.reads.ts';
import type { FindFlag } from './find-flag.ts';
import type { FeatureFlags } from './feature-flags.service.ts';
import { flagStatusOf } from './flag-status.ts';
import { minimalFlagOf } from './minimal-flag.ts';

const route = routesOf(featureFlagsApi);

/** Values of all flags that can be evaluated for a distinct ID, by key, as `/flags` returns them. */
export type EvaluateFlags = (
  project: ProjectRef,
  subject: { readonly distinctId: string; readonly groups: Readonly<Record<string, unknown>> },
) => Promise<
  ReadonlyMap<
    string,
    {
      readonly value: boolean | string;
      readonly reason: { readonly code: string; readonly conditionIndex: number | null };
    }
  >
>;

export interface FlagReadParts {
  flags: FeatureFlags;
  db: Db;
  access: Access;
  clock: Clock;
  evaluate: EvaluateFlags;
  find: FindFlag;
}

/** Values of flags for a distinct ID, their status, and the flags that depend on them. */
export function flagReadRoutes(parts: FlagReadParts): ManagementRoute[] {
  const { flags, db, access, clock, evaluate, find } = parts;
  const read = { auth: 'key', scope: ['feature_flag:read'], pathObject: 'feature_flag' } as const;
  const get = { ...read } as const;

  return [
    route('GET P/feature_flags/my_flags/', {
      ...get,
      summary: 'Lists all feature flags, newest first, with their value for the current user.',
      handle: async ({ actor, project, query }) => {
        const subject = { distinctId: actor.user.distinctId, groups: query.groups ?? {} };
        const answers = await evaluate(project, subject);
        return flags
          .list(project.id)
          .filter((flag) => access.levelOf(actor, project.id, 'feature_flag', flag) !== 'none')
          .toSorted((a, b) =>
            a.createdAt === b.createdAt ? b.id - a.id : a.createdAt < b.createdAt ? 1 : -1,
          )
          .map((flag) => ({
            feature_flag: minimalFlagOf(flag),
            value: answers.get(flag.key)?.value ?? false,
          }));
      },
    }),
    route('GET P/feature_flags/evaluation_reasons/', {
      ...get,
      summary: 'Returns the value of every feature flag for a distinct ID, with reasons.',
      handle: async ({ actor, project, query }) => {
        const answers = await evaluate(project, {
          distinctId: query.distinct_id,
          groups: query.groups ?? {},
        });
        const reasons: [string, EvaluationReasons[string]][] = [];
        for (const flag of flags.list(project.id)) {
          const answer = answers.get(flag.key);
          const isHidden = access.levelOf(actor, project.id, 'feature_flag', flag) === 'none';
          if (isHidden || (flag.active && answer === undefined)) continue;
          const { value, reason } = answer ?? {
            value: false,
            reason: { code: 'disabled', conditionIndex: null },
          };
          const evaluation = { reason: reason.code, condition_index: reason.conditionIndex };
          reasons.push([flag.key, { value, evaluation }]);
        }
        return Object.fromEntries(reasons);
      },
    }),
    route('GET P/feature_flags/:id/status/', {
      ...get,
      summary: 'Returns the status of a feature flag: active, disabled, deleted or stale.',
      lookup: (context) => find(context, 'viewer'),
      handle: async ({ project, found }) => {
        const calls = await listLastCalls(db, project.id, [found.id]);
        return flagStatusOf(found, calls.get(found.id) ?? null, clock());
      },
    }),
    route('GET P/feature_flags/:id/dependent_flags/', {
      ...get,
      summary: 'Lists the active feature flags that depend on this one.',
      lookup: (context) => find(context, 'viewer'),
      handle: ({ actor, project, found }) =>
        dependentsOf(found.id, flags.list(project.id))
          .filter((flag) => access.levelOf(actor, project.id, 'feature_flag', flag) !== 'none')
          .map(({ id, key, name }) => ({ id, key, name })),
    }),
    route('POST P/feature_flags/bulk_keys/', {
      ...read,
      summary: 'Returns feature flag keys by id; unknown ids are omitted.',
      handle: ({ actor, project, body }) => {
        const sent = body.ids ?? [];
        const invalid = sent.filter((id) => idOf(id) === 0);
        if (invalid.length > 0 && invalid.length === sent.length)
          throw fail('invalid_input', { attr: 'ids', detail: 'None of these flags exist.' });
        const found = sent.flatMap((id) => {
          const flag = flags.find(project.id, idOf(id));
          if (flag === null || access.levelOf(actor, project.id, 'feature_flag', flag) === 'none') return [];
          return [[String(flag.id), flag.key] as const];
        });
        const keys = Object.fromEntries(found);
        if (invalid.length === 0) return { keys };
        return { keys, warning: `Some ids are not valid: ${JSON.stringify(invalid).slice(0, 200)}` };
      },
    }),
  ];
}
