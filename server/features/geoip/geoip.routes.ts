import { fail } from '../../errors.ts';
import { defineRoute, type ManagementRoute } from '../../http/define-route.ts';
import { geoipSetting, setGeoipBody, type GeoipSetting } from './geoip.contract.ts';
import type { Geoip, GeoipState } from './geoip.service.ts';

const ADMIN = 8;

/** Which file says where an address lies, for the whole server. */
export function geoipRoutes(geoip: Geoip): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/burrow/geoip/',
      auth: 'key',
      scope: ['project:read'],
      summary: 'Shows which file says where the addresses of senders lie.',
      response: geoipSetting,
      handle: async () => settingOf(await geoip.read()),
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/burrow/geoip/',
      auth: 'key',
      scope: ['project:write'],
      summary: 'Chooses the built-in country file, a city file of your own, or none, for events from now on.',
      body: setGeoipBody,
      response: geoipSetting,
      errors: ['permission_denied', 'invalid'],
      lookup({ actor }) {
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', { detail: 'Only admins set what holds for the whole server.' });
      },
      handle: async ({ actor, body: { source, file } }) =>
        settingOf(
          await geoip.choose(actor, source === 'city' ? { source, file: file! } : { source, file: null }),
        ),
    }),
  ];
}

function settingOf({ choice, databaseType, builtAt, setBy, problem }: GeoipState): GeoipSetting {
  return { ...choice, database_type: databaseType, built_at: builtAt, set_by: setBy, problem };
}
