import type { Properties } from './flag-definition.ts';
import type { FlagSet } from './flag-set.ts';

/** Where properties are looked for: what the request says, over GeoIP, over what is stored (ingestion contract 7.10, 7.11). */
export interface PropertyLayers {
  readonly request: Properties | null;
  readonly geoip: Properties | null;
  readonly stored: Properties | null;
}

export const NO_PROPERTIES: PropertyLayers = { request: null, geoip: null, stored: null };

/**
 * Whom flags are evaluated for. One object for one subject at one time: what several flags share (cohorts, other flags)
 * is computed once for it.
 */
export interface FlagContext {
  readonly set: FlagSet;
  /** Unix milliseconds; relative dates count from here. */
  readonly now: number;
  readonly distinctId: string;
  readonly anonDistinctId: string | null;
  readonly deviceId: string | null;
  /** Stored identifiers of the person by flag key (F-8); null when none are known. */
  readonly hashKeys: ReadonlyMap<string, string> | null;
  readonly person: PropertyLayers;
  /** Names of the group types by their index. */
  readonly groupTypes: readonly (string | undefined)[];
  /** The groups of the request, by type. */
  readonly groups: ReadonlyMap<string, { readonly key: string; readonly properties: PropertyLayers }>;
  /** Static cohorts of the person; null when the person is not known. */
  readonly memberOf: ReadonlySet<number> | null;
  /** Whether to tell how each value came about; value and reason are the same either way. */
  readonly trace: boolean;
}
