import type { Feature } from '../../http/define-route.ts';
import { geoipRoutes } from './geoip.routes.ts';
import { createGeoip, type GeoipDeps } from './geoip.service.ts';

export type { GeoipLookup } from './geoip-lookup.ts';
export type { GeoipProperties } from './geoip-properties.ts';
export type { GeoipThread } from './geoip-thread.ts';
export { publicAddress } from './special-addresses.ts';

export async function geoipFeature(
  needs: Omit<GeoipDeps, 'optionFile'> & { config: { geoipFile: string | null } },
): Promise<Feature> {
  const geoip = createGeoip({ ...needs, optionFile: needs.config.geoipFile });
  await geoip.load();
  return { name: 'geoip', routes: geoipRoutes(geoip) };
}
