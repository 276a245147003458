import { z } from 'zod';
import {
  defineRoute,
  Reply,
  type Actor,
  type LookupContext,
  type ManagementRoute,
  type ProjectRef,
} from '../../http/define-route.ts';
import { fail, type ErrorName } from '../../errors.ts';
import {
  machineSharing,
  machineSharingBody,
  patchSharingBody,
  sharingConfiguration,
  sharingExpiry,
  sharingExpiryBody,
  sharingLink,
  type SharingConfigurationJson,
  type SharingExpiryJson,
  type SharingLinkJson,
} from './sharing.contract.ts';
import { settingsOf } from './sharing.reads.ts';
import type { Shareable, Sharing } from './sharing.service.ts';
import type { SharingConfiguration } from './sharing.store.ts';

/** Finds what the id of a path names, for one who looks at it or changes it. Throws what its feature throws. */
export type FindShareable = (
  actor: Actor,
  project: ProjectRef,
  id: string,
  needed: 'view' | 'edit',
) => Promise<Shareable>;

const READ = { method: 'GET', auth: 'key', scope: ['sharing_configuration:read'] } as const;
const WRITE = { auth: 'key', scope: ['sharing_configuration:write'] } as const;

/** Management contract 4.2 for dashboards and insights, and the sharing of this machine as a whole. */
export function sharingRoutes(
  sharing: Sharing,
  find: { dashboard: FindShareable; insight: FindShareable },
): ManagementRoute[] {
  return [
    ...routesOf(sharing, {
      segment: 'dashboards',
      name: 'dashboard_id',
      find: find.dashboard,
      errors: ['dashboard_not_found', 'not_editable', 'permission_denied'],
    }),
    ...routesOf(sharing, {
      segment: 'insights',
      name: 'insight_id',
      find: find.insight,
      errors: ['not_editable', 'permission_denied'],
    }),
    ...machineRoutes(sharing),
  ];
}

interface SharedPath {
  segment: string;
  /** Of the path's parameter. */
  name: string;
  find: FindShareable;
  errors: readonly ErrorName[];
}

function routesOf(sharing: Sharing, { segment, name, find, errors }: SharedPath): ManagementRoute[] {
  const path = `${segment}/:${name}`;
  const params = z.object({ [name]: z.string() });
  const common = { params, errors } as const;
  const lookup = (needed: 'view' | 'edit') => (context: LookupContext<z.output<typeof params>>) =>
    find(context.actor, context.project, context.params[name]!, needed);
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
    defineRoute({
      ...READ,
      ...common,
      path: `P/${path}/sharing/`,
      summary: 'Retrieves the public link and whether it is enabled.',
      response: sharingConfiguration,
      lookup: lookup('view'),
      handle: async ({ found }) => jsonOf(await sharing.get(found)),
    }),
    defineRoute({
      ...WRITE,
      ...common,
      method: 'PATCH',
      path: `P/${path}/sharing/`,
      summary: 'Enables or disables the public link; enabling it again creates a new token.',
      body: patchSharingBody,
      response: sharingConfiguration,
      lookup: lookup('edit'),
      handle: async ({ actor, found, body }) => jsonOf(await sharing.patch(actor, found, body)),
    }),
    defineRoute({
      ...WRITE,
      ...common,
      method: 'POST',
      path: `P/${path}/sharing/refresh/`,
      summary: 'Replaces the token of the link; the old token works for 5 more minutes.',
      response: sharingConfiguration,
      lookup: lookup('edit'),
      handle: async ({ actor, found }) => jsonOf(await sharing.refresh(actor, found)),
    }),
    defineRoute({
      ...READ,
      ...common,
      path: `P/burrow/${path}/sharing_link/`,
      summary: 'Retrieves the settings and expiry of the link, and of the previous link.',
      response: sharingLink,
      lookup: lookup('view'),
      handle: async ({ found }) => linkOf(await sharing.get(found)),
    }),
    defineRoute({
      ...WRITE,
      ...common,
      method: 'DELETE',
      path: `P/burrow/${path}/sharing_link/old/`,
      summary: 'Revokes the previous link immediately; no effect if there is none.',
      response: null,
      status: 204,
      lookup: lookup('edit'),
      handle: async ({ actor, found }) => {
        await sharing.endOld(actor, found);
        return Reply.empty(204);
      },
    }),
    defineRoute({
      ...READ,
      ...common,
      path: `P/burrow/${path}/sharing_expiry/`,
      summary: 'Retrieves the expiry of the link.',
      response: sharingExpiry,
      lookup: lookup('view'),
      handle: async ({ found }) => expiryOf(await sharing.get(found)),
    }),
    defineRoute({
      ...WRITE,
      ...common,
      method: 'PUT',
      path: `P/burrow/${path}/sharing_expiry/`,
      summary:
        'Sets the expiry of the link; null: never. An expired link stays off until it is enabled again.',
      body: sharingExpiryBody,
      response: sharingExpiry,
      lookup: lookup('edit'),
      handle: async ({ actor, found, body }) =>
        expiryOf(await sharing.setExpiry(actor, found, body.expires_at)),
    }),
  ];
}

const ORGANIZATION_ADMIN = 8;

function machineRoutes(sharing: Sharing): ManagementRoute[] {
  const checkIsAdmin = ({ actor }: { actor: Actor }): void => {
    if (actor.organizationLevel >= ORGANIZATION_ADMIN) return;
    throw fail('permission_denied', {
      detail: 'Only admins can view and turn off all sharing of this server.',
    });
  };
  return [
    defineRoute({
      ...READ,
      path: '/api/burrow/sharing/',
      summary: 'Lists all public links of this server.',
      response: machineSharing,
      errors: ['permission_denied'],
      lookup: checkIsAdmin,
      handle: () => sharing.machine(),
    }),
    defineRoute({
      ...WRITE,
      method: 'PUT',
      path: '/api/burrow/sharing/',
      summary: 'Turns all sharing of this server off, revoking each link permanently, or on again.',
      body: machineSharingBody,
      response: machineSharing,
      errors: ['permission_denied'],
      lookup: checkIsAdmin,
      handle: async ({ actor, body }) => {
        await sharing.setOff(actor, body.off);
        return sharing.machine();
      },
    }),
  ];
}
