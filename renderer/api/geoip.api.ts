import type { GeoipSetting } from '../../server/features/geoip/geoip.contract.ts';
import { request } from './http.ts';

export type { GeoipSetting };

const PATH = '/api/burrow/geoip/';

/** Where the places of addresses come from. */
export function getGeoip(): Promise<GeoipSetting> {
  return request<GeoipSetting>(PATH);
}

/** Chooses the source; `file` is a path on the server's machine, for `city`. */
export function setGeoip(choice: { source: GeoipSetting['source']; file?: string }): Promise<GeoipSetting> {
  return request<GeoipSetting>(PATH, { method: 'PUT', body: choice });
}
