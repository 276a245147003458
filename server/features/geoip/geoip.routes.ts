import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type GeoipSetting, geoipApi } from './geoip.contract.ts';
import type { Geoip, GeoipState } from './geoip.service.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(geoipApi);

/** Which file says where an address lies, for the whole server. */
export function geoipRoutes(geoip: Geoip): ManagementRoute[] {
  return [
    route('GET /api/burrow/geoip/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves the GeoIP setting.',
      handle: async () => settingOf(await geoip.read()),
    }),
    route('PUT /api/burrow/geoip/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Sets the GeoIP database for new events: built-in countries, your own file, or none.',
      errors: ['permission_denied', 'invalid'],
      lookup({ actor }) {
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', { detail: 'Only admins can change server settings.' });
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
