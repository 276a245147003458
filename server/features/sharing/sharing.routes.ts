import {
  Reply,
  type Actor,
  type LookupContext,
  type ManagementRoute,
  type ProjectRef,
  routesOf,
} from '../../http/define-route.ts';
import { fail, type ErrorName } from '../../errors.ts';
import {
  type SharingConfigurationJson,
  type SharingExpiryJson,
  type SharingLinkJson,
  sharingApi,
} from './sharing.contract.ts';
import { settingsOf } from './sharing.reads.ts';
import type { Shareable, Sharing } from './sharing.service.ts';
import type { SharingConfiguration } from './sharing.store.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(sharingApi);

/** Finds what the id of a path names, for one who looks at it or changes it. Throws what its feature throws. */
export type FindShareable = (
  actor: Actor,
  project: ProjectRef,
  id: string,
  needed: 'view' | 'edit',
) => Promise<Shareable>;

const READ = { auth: 'key', scope: ['sharing_configuration:read'] } as const;
const WRITE = { auth: 'key', scope: ['sharing_configuration:write'] } as const;

/** Management contract 4.2 for dashboards and insights, and the sharing of this machine as a whole. */
export function sharingRoutes(
  sharing: Sharing,
  find: { dashboard: FindShareable; insight: FindShareable },
): ManagementRoute[] {
  return [
    ...linkRoutes(sharing, {
      path: 'dashboards/:dashboard_id',
      find: find.dashboard,
      errors: ['dashboard_not_found', 'not_editable', 'permission_denied'],
    }),
    ...linkRoutes(sharing, {
      path: 'insights/:insight_id',
      find: find.insight,
      errors: ['not_editable', 'permission_denied'],
    }),
    ...machineRoutes(sharing),
  ];
}

interface SharedPath {
  path: 'dashboards/:dashboard_id' | 'insights/:insight_id';
  find: FindShareable;
  errors: readonly ErrorName[];
}

function linkRoutes(sharing: Sharing, { path, find, errors }: SharedPath): ManagementRoute[] {
  const lookup =
    (needed: 'view' | 'edit') =>
    ({ actor, project, params }: LookupContext<{ dashboard_id: string } | { insight_id: string }>) =>
      find(actor, project, 'dashboard_id' in params ? params.dashboard_id : params.insight_id, needed);
  const jsonOf = (row: SharingConfiguration): SharingConfigurationJson => ({
    created_at: row.createdAt,
    enabled: sharing.isOn(row),
    access_token: row.accessToken,
  });
  const expiryOf = (row: SharingConfiguration): SharingExpiryJson => ({
    enabled: sharing.isOn(row),
    expires_at: row.expiresAt,
  });
  const linkOf = (row: SharingConfiguration): SharingLinkJson => ({
    ...expiryOf(row),
    old_until: sharing.oldUntil(row),
    settings: settingsOf(row),
  });
  return [
    route(`GET P/${path}/sharing/`, {
      ...READ,
      errors,
      summary: 'Retrieves the public link and whether it is enabled.',
      lookup: lookup('view'),
      handle: async ({ found }) => jsonOf(await sharing.get(found)),
    }),
    route(`PATCH P/${path}/sharing/`, {
      ...WRITE,
      errors,
      summary: 'Enables or disables the public link; enabling it again creates a new token.',
      lookup: lookup('edit'),
      handle: async ({ actor, found, body }) => jsonOf(await sharing.patch(actor, found, body)),
    }),
    route(`POST P/${path}/sharing/refresh/`, {
      ...WRITE,
      errors,
      summary: 'Replaces the token of the link; the old token works for 5 more minutes.',
      lookup: lookup('edit'),
      handle: async ({ actor, found }) => jsonOf(await sharing.refresh(actor, found)),
    }),
    route(`GET P/burrow/${path}/sharing_link/`, {
      ...READ,
      errors,
      summary: 'Retrieves the settings and expiry of the link, and of the previous link.',
      lookup: lookup('view'),
      handle: async ({ found }) => linkOf(await sharing.get(found)),
    }),
    route(`DELETE P/burrow/${path}/sharing_link/old/`, {
      ...WRITE,
      errors,
      summary: 'Revokes the previous link immediately; no effect if there is none.',
      status: 204,
      lookup: lookup('edit'),
      handle: async ({ actor, found }) => {
        await sharing.endOld(actor, found);
        return Reply.empty(204);
      },
    }),
    route(`GET P/burrow/${path}/sharing_expiry/`, {
      ...READ,
      errors,
      summary: 'Retrieves the expiry of the link.',
      lookup: lookup('view'),
      handle: async ({ found }) => expiryOf(await sharing.get(found)),
    }),
    route(`PUT P/burrow/${path}/sharing_expiry/`, {
      ...WRITE,
      errors,
      summary:
        'Sets the expiry of the link; null: never. An expired link stays off until it is enabled again.',
      lookup: lookup('edit'),
      handle: async ({ actor, found, body }) =>
        expiryOf(await sharing.setExpiry(actor, found, body.expires_at)),
    }),
  ];
}

function machineRoutes(sharing: Sharing): ManagementRoute[] {
  const checkIsAdmin = ({ actor }: { actor: Actor }): void => {
    if (actor.organizationLevel >= ADMIN) return;
    throw fail('permission_denied', {
      detail: 'Only admins can view and turn off all sharing of this server.',
    });
  };
  return [
    route('GET /api/burrow/sharing/', {
      ...READ,
      summary: 'Lists all public links of this server.',
      errors: ['permission_denied'],
      lookup: checkIsAdmin,
      handle: () => sharing.machine(),
    }),
    route('PUT /api/burrow/sharing/', {
      ...WRITE,
      summary: 'Turns all sharing of this server off, revoking each link permanently, or on again.',
      errors: ['permission_denied'],
      lookup: checkIsAdmin,
      handle: async ({ actor, body }) => {
        await sharing.setOff(actor, body.off);
        return sharing.machine();
      },
    }),
  ];
}
