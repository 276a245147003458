/** Where places come from: the country file of the program, a file of the user's own, or nowhere. */
export type GeoipSource = 'country' | 'city' | 'none';

/** What is to be used; `file` is the absolute path of the user's own. */
export type GeoipChoice = { source: 'country' | 'none'; file: null } | { source: 'city'; file: string };

/** Requests of the server to the thread that ingests events. */
export type GeoipOrder = ({ kind: 'geoip.use' } & GeoipChoice) | { kind: 'geoip.describe' };

/** The file in use; after an order that could not be carried out, why. */
export interface GeoipAnswer {
  databaseType: string | null;
  /** ISO 8601. */
  builtAt: string | null;
  /** A sentence; what was used before is used on. */
  problem: string | null;
}
