import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Access } from '../access/index.ts';
import { findMinimalFlags } from '../feature-flags/index.ts';
import type { Users } from '../users/index.ts';
import { type EarlyAccessFeatureJson, earlyAccessFeaturesApi } from './early-access-features.contract.ts';
import { listFeatures } from './early-access-features.reads.ts';
import type { EarlyAccessFeatures } from './early-access-features.service.ts';
import { findFeature } from './early-access-features.store.ts';
import type { EarlyAccessFeature } from './feature-row.ts';

const route = routesOf(earlyAccessFeaturesApi);

export interface EarlyAccessFeatureRouteParts {
  features: EarlyAccessFeatures;
  db: Db;
  access: Access;
  users: Users;
}

interface PathContext {
  params: { id: string };
  project: { id: number };
  actor: Actor;
}

/** Early access features as people manage them (management contract 9.11). */
export function earlyAccessFeatureRoutes({
  features,
  db,
  access,
  users,
}: EarlyAccessFeatureRouteParts): ManagementRoute[] {
  const read = {
    auth: 'key',
    scope: ['early_access_feature:read'],
    pathObject: 'early_access_feature',
  } as const;
  const write = {
    auth: 'key',
    scope: ['early_access_feature:write'],
    pathObject: 'early_access_feature',
  } as const;

  /** One statement for the flags of all. */
  async function jsonOf(
    actor: Actor,
    projectId: number,
    rows: readonly EarlyAccessFeature[],
  ): Promise<EarlyAccessFeatureJson[]> {
    const ids = rows.map(({ featureFlagId }) => featureFlagId);
    const flags = await findMinimalFlags(db, projectId, ids);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      stage: row.stage,
      documentation_url: row.documentationUrl,
      payload: row.payload as EarlyAccessFeatureJson['payload'],
      feature_flag: flags.get(row.featureFlagId) ?? null,
      created_by: users.embedded(row.createdBy),
      created_at: row.createdAt,
      user_access_level: access.levelOf(actor, projectId, 'early_access_feature', row),
    }));
  }
  const one = async (actor: Actor, projectId: number, row: EarlyAccessFeature) =>
    (await jsonOf(actor, projectId, [row]))[0]!;

  const find = async ({ params, project, actor }: PathContext, needed: 'viewer' | 'editor') => {
    const found = await findFeature(db, project.id, params.id);
    if (found === null) throw fail('not_found');
    access.check(actor, project.id, 'early_access_feature', found, needed);
    return found;
  };
  const lookup = (context: PathContext) => find(context, 'editor');

  return [
    route('GET P/early_access_feature/', {
      ...read,
      summary: 'Lists early access features, newest first.',
      handle: async ({ project, query, url, actor }) => {
        const { rows, count } = await listFeatures(db, project.id, query, readPage(url.searchParams));
        return pageOf(url, await jsonOf(actor, project.id, rows), count);
      },
    }),
    route('POST P/early_access_feature/', {
      ...write,
      summary: 'Creates an early access feature, with an existing or a new feature flag.',
      status: 201,
      errors: ['does_not_exist', 'unique'],
      handle: async ({ project, actor, body }) =>
        Reply.json(201, await one(actor, project.id, await features.create(actor, project.id, body))),
    }),
    route('GET P/early_access_feature/:id/', {
      ...read,
      summary: 'Retrieves an early access feature.',
      lookup: (context) => find(context, 'viewer'),
      handle: ({ found, project, actor }) => one(actor, project.id, found),
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      route(`${method} P/early_access_feature/:id/`, {
        ...write,
        summary:
          method === 'PUT'
            ? 'Updates an early access feature like PATCH; name and stage are required.'
            : 'Updates an early access feature; from stage alpha, it is enabled for opted-in users.',
        lookup,
        handle: async ({ project, params, actor, body }) =>
          one(actor, project.id, await features.update(actor, project.id, params.id, body)),
      }),
    ),
    route('DELETE P/early_access_feature/:id/', {
      ...write,
      summary: 'Deletes an early access feature permanently; its flag is kept without early access.',
      status: 204,
      lookup,
      handle: async ({ project, params, actor }) => {
        await features.delete(actor, project.id, params.id);
        return Reply.empty(204);
      },
    }),
  ];
}
