import type { Db } from '../../../db/db.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../../http/define-route.ts';
import { pageOf, readPage } from '../../../http/paging.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Access } from '../../access/index.ts';
import type { EmbeddedUser, Users } from '../../users/index.ts';
import { canAnswer } from './flag-override.ts';
import { type FlagOverrideJson, flagOverridesApi } from './flag-overrides.contract.ts';
import { findOverride, listOverrides, type ShownOverride } from './flag-overrides.reads.ts';
import type { FlagOverrides } from './flag-overrides.service.ts';

const route = routesOf(flagOverridesApi);

export interface FlagOverrideRouteParts {
  overrides: FlagOverrides;
  db: Db;
  access: Access;
  users: Users;
  clock: Clock;
}

export function flagOverrideRoutes(parts: FlagOverrideRouteParts): ManagementRoute[] {
  const { overrides, db, access, users, clock } = parts;
  const read = { auth: 'key', scope: ['feature_flag:read'] } as const;
  const write = { auth: 'key', scope: ['feature_flag:write'] } as const;

  const sightOf = (actor: Actor, projectId: number) => ({
    userId: actor.user.id,
    ...access.visibility(actor, projectId, 'feature_flag'),
  });

  const force = route('POST P/burrow/flag_overrides/', {
    ...write,
    summary:
      'Overrides the value of a flag for a distinct ID or for everyone. SDKs with local evaluation are not affected.',
    status: 201,
    errors: ['does_not_exist', 'access_level', 'invalid'],
    handle: async ({ project, actor, body }) => {
      const id = await overrides.force(actor, project.id, body);
      const row = await findOverride(db, project.id, id);
      return Reply.json(201, jsonOf(row!, users.embedded(row!.createdBy)));
    },
  });

  return [
    route('GET P/burrow/flag_overrides/', {
      ...read,
      summary: 'Lists the local overrides, newest first.',
      handle: async ({ project, query, url, actor }) => {
        const asked = { ...query, sight: sightOf(actor, project.id), now: clock() };
        const { rows, count } = await listOverrides(db, project.id, asked, readPage(url.searchParams));
        return pageOf(
          url,
          rows.map((row) => jsonOf(row, users.embedded(row.createdBy))),
          count,
        );
      },
    }),
    force,
    // Management contract 9.12: it takes the place of one for the same flag and the same distinct id.
    { ...force, method: 'PUT' },
    route('DELETE P/burrow/flag_overrides/', {
      ...write,
      summary: 'Removes the local overrides of a flag, of a distinct ID, or all of them.',
      handle: async ({ project, actor, query }) => ({
        ended: await overrides.endAll(actor, project.id, query),
      }),
    }),
    route('POST P/burrow/flag_overrides/preset/', {
      ...write,
      summary: 'Overrides all flags as enabled or disabled, for a distinct ID or for everyone.',
      errors: ['invalid'],
      handle: async ({ project, actor, body }) => ({
        overridden: await overrides.forceAll(actor, project.id, body),
      }),
    }),
    route('DELETE P/burrow/flag_overrides/:id/', {
      ...write,
      summary: 'Removes a local override.',
      errors: ['access_level'],
      handle: async ({ project, actor, params }) => {
        await overrides.end(actor, project.id, params.id);
        return Reply.empty(204);
      },
    }),
  ];
}

function jsonOf(row: ShownOverride, createdBy: EmbeddedUser | null): FlagOverrideJson {
  return {
    id: row.id,
    key: row.key,
    flag_id: row.flag?.id ?? null,
    distinct_id: row.distinctId,
    value: row.value,
    payload: row.payload,
    expires_at: row.expiresAt,
    problem: problemOf(row),
    created_by: createdBy,
    created_at: row.createdAt,
  };
}

function problemOf({ flag, key, value }: ShownOverride): string | null {
  if (flag === null) return `There is no active flag with the key ${key}.`;
  return canAnswer(flag, value) ? null : `The flag no longer has the variant ${String(value)}.`;
}
