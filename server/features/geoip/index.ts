export { GeoipFileError } from './geoip-file.ts';
export type { GeoipLookup } from './geoip-lookup.ts';
export type { GeoipProperties } from './geoip-properties.ts';
export { geoipRoutes } from './geoip.routes.ts';
export { createGeoip, type Geoip } from './geoip.service.ts';
export type { GeoipThread } from './geoip-thread.ts';
export { publicAddress } from './special-addresses.ts';
