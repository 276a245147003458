import type { Db } from '../../db/db.ts';
import { fail, type ErrorName } from '../../errors.ts';
import {
  Reply,
  type Actor,
  type ManagementRoute,
  type ProjectRef,
  routesOf,
} from '../../http/define-route.ts';
import { pageOfAll } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Clock } from '../../lib/clock.ts';
import { type FeatureFlagJson, type UpdateFlagBody, featureFlagsApi } from './feature-flags.contract.ts';
import {
  listFeaturesOfFlags,
  listLastCalls,
  listSurveysOfFlags,
  type FlagLinks,
} from './feature-flags.reads.ts';
import type { FeatureFlags } from './feature-flags.service.ts';
import type { FindFlag, FlagPath } from './find-flag.ts';
import { flagReadRoutes, type EvaluateFlags } from './flag-read-routes.ts';
import { followKey, type FollowKeyParts } from './usage-dashboard.ts';
import { flagJsonFor, type FlagJsonParts } from './flag-json.ts';
import type { Flag } from './flag-row.ts';
import { flagStatusOf } from './flag-status.ts';
import { listedFlags } from './list-flags.ts';
import type { Access } from '../access/index.ts';
import type { CohortJson } from '../cohorts/index.ts';

const route = routesOf(featureFlagsApi);

export interface FlagRouteParts
  extends FlagJsonParts, Pick<FlagCohortParts, 'personsOn' | 'createStaticCohort'>, FollowKeyParts {
  flags: FeatureFlags;
  db: Db;
  clock: Clock;
  evaluate: EvaluateFlags;
}

/** What filters and the rest of a flag can be refused for, beyond what every field can. */
const WRITE_ERRORS: readonly ErrorName[] = [
  'unique',
  'invalid_key',
  'invalid_operator',
  'invalid_value',
  'invalid_date',
  'cohort_does_not_exist',
  'behavioral_cohort_found',
  'does_not_exist',
  'conflict',
];
const PATH = 'P/feature_flags/:id/';

export function featureFlagRoutes(parts: FlagRouteParts): ManagementRoute[] {
  const { flags, db, access, clock } = parts;
  const read = { auth: 'key', scope: ['feature_flag:read'], pathObject: 'feature_flag' } as const;
  const write = {
    auth: 'key',
    scope: ['feature_flag:write'],
    pathObject: 'feature_flag',
    errors: WRITE_ERRORS,
  } as const;

  const find: FindFlag = async ({ params, project, actor }, needed) => {
    const found = flags.find(project.id, params.id) ?? (await flags.read(db, project.id, params.id));
    if (found === null) throw fail('not_found');
    access.check(actor, project.id, 'feature_flag', found, needed);
    return found;
  };

  /** Three statements, however many flags. */
  async function linksOf(projectId: number, shown: readonly Flag[], calls?: FlagLinks['lastCalled']) {
    const ids = shown.map(({ id }) => id);
    if (ids.length === 0) return { lastCalled: new Map(), surveys: new Map(), features: new Map() };
    const [lastCalled, surveys, features] = await Promise.all([
      calls ?? listLastCalls(db, projectId, ids),
      listSurveysOfFlags(db, projectId, ids),
      listFeaturesOfFlags(db, projectId, ids),
    ]);
    return { lastCalled, surveys, features };
  }

  async function jsonOf(actor: Actor, project: ProjectRef, flag: Flag): Promise<FeatureFlagJson> {
    const links = await linksOf(project.id, [flag]);
    return flagJsonFor(parts, { actor, projectId: project.id, now: clock(), links })(flag);
  }

  async function change({ actor, project, found }: FlagPath & { found: Flag }, body: UpdateFlagBody) {
    const changed = await flags.inTransaction((tx) => flags.update(tx, actor, project.id, found.id, body));
    await followKey(parts, actor, changed, found.key);
    return jsonOf(actor, project, changed);
  }

  return [
    route('GET P/feature_flags/', {
      ...read,
      summary: 'Lists feature flags, newest first, excluding deleted flags and flags of surveys.',
      handle: async ({ project, actor, query, url }) => {
        const now = clock();
        const calls = await listLastCalls(db, project.id);
        const lastCalledAt = (flag: Flag) => calls.get(flag.id) ?? null;
        const seen = flags
          .list(project.id)
          .filter((flag) => access.levelOf(actor, project.id, 'feature_flag', flag) !== 'none');
        const listed = listedFlags(seen, query, {
          lastCalledAt,
          isStale: (flag) => flagStatusOf(flag, lastCalledAt(flag), now).status === 'STALE',
        });
        const page = pageOfAll(url, listed);
        const links = await linksOf(project.id, page.results, calls);
        const json = flagJsonFor(parts, { actor, projectId: project.id, now, links });
        return { ...page, results: page.results.map(json) };
      },
    }),
    route('POST P/feature_flags/', {
      ...write,
      summary: 'Creates a feature flag; without filters it is enabled for everyone.',
      status: 201,
      handle: async ({ project, actor, body }) => {
        const made = await flags.inTransaction((tx) => flags.create(tx, actor, project.id, body));
        return Reply.json(201, await jsonOf(actor, project, made));
      },
    }),
    route('GET P/feature_flags/:id/', {
      ...read,
      summary: 'Retrieves a feature flag, including deleted ones.',
      lookup: (context) => find(context, 'viewer'),
      handle: ({ actor, project, found }) => jsonOf(actor, project, found),
    }),
    route('PATCH P/feature_flags/:id/', {
      ...write,
      summary:
        'Updates, deletes (`deleted: true`) or restores a feature flag; omitted fields are not changed.',
      lookup: (context) => find(context, 'editor'),
      handle: (context) => change(context, context.body),
    }),
    route('PUT P/feature_flags/:id/', {
      ...write,
      summary: 'Updates a feature flag like PATCH; the key is required, and filters require groups.',
      lookup: (context) => find(context, 'editor'),
      handle: (context) => {
        const { filters } = context.body;
        if (filters !== undefined && !Object.hasOwn(filters, 'groups'))
          throw fail('invalid_input', { attr: 'filters', detail: 'Filters require groups.' });
        return change(context, context.body);
      },
    }),
    refusedDelete(PATH),
    ...flagReadRoutes({ ...parts, find }),
    ...flagCohortRoutes({ ...parts, find }),
  ];
}

interface FlagCohortParts {
  access: Access;
  clock: Clock;
  find: FindFlag;
  /** Ids of the stored persons for whom a flag is on. */
  personsOn: (projectId: number, flag: Flag, signal: AbortSignal) => Promise<readonly number[]>;
  /** Makes a cohort that is a list of persons. */
  createStaticCohort: (
    actor: Actor,
    projectId: number,
    list: { name: string; personIds: readonly number[] },
  ) => Promise<CohortJson>;
}

/** A list of all persons for whom a flag is on, as it is now. */
function flagCohortRoutes(parts: FlagCohortParts): ManagementRoute[] {
  const { clock, find, personsOn, createStaticCohort } = parts;
  return [
    route('POST P/feature_flags/:id/create_static_cohort_for_flag/', {
      auth: 'key',
      scope: ['cohort:write'],
      andScope: ['feature_flag:read'],
      pathObject: 'feature_flag',
      summary: 'Creates a static cohort of all persons for whom a feature flag is currently enabled.',
      errors: ['invalid_input'],
      status: 201,
      lookup: (context) => find(context, 'viewer'),
      handle: async ({ actor, project, found, signal }) => {
        const personIds = found.deleted ? [] : await personsOn(project.id, found, signal);
        const moment = new Date(clock()).toISOString().slice(0, 19).replace('T', ' ');
        // Names of cohorts are shorter than keys may be.
        const name = `Persons with ${found.key.slice(0, 300)} enabled, ${moment}`;
        return Reply.json(201, {
          cohort: await createStaticCohort(actor, project.id, { name, personIds }),
        });
      },
    }),
  ];
}
