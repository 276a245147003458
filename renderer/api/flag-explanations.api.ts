import type { FlagExplanation } from '../../server/features/feature-flags/decide/decide.contract.ts';
import { api } from './client.ts';
import { exchange, type Exchange } from './http.ts';

type Properties = Readonly<Record<string, unknown>>;

/** The context of an evaluation: what an SDK sends about a user. Empty texts are not sent. */
export interface FlagContext {
  distinctId: string;
  /** Values that stand in place of the stored ones in this request. */
  personProperties: Properties;
  /** Key of the group by its type. */
  groups: Readonly<Record<string, string>>;
  groupProperties: Readonly<Record<string, Properties>>;
  /** The address the user comes from. */
  ip: string;
  anonDistinctId: string;
  deviceId: string;
}

/** The flag endpoints of SDKs, newest first. */
export const FLAG_ENDPOINTS = [
  { id: 'flags2', path: '/flags/?v=2', label: '/flags, version 2' },
  { id: 'flags1', path: '/flags/?v=1', label: '/flags, version 1' },
  { id: 'decide4', path: '/decide/?v=4', label: '/decide, version 4' },
  { id: 'decide3', path: '/decide/?v=3', label: '/decide, version 3' },
  { id: 'decide2', path: '/decide/?v=2', label: '/decide, version 2' },
  { id: 'decide1', path: '/decide/?v=1', label: '/decide, version 1' },
] as const;

export type FlagEndpoint = (typeof FLAG_ENDPOINTS)[number];

/** The body of an SDK's flag request for a context; empty parts of the context are left out. */
export function flagsRequestBody(token: string, context: FlagContext): Record<string, unknown> {
  return { api_key: token, ...aboutUser(context) };
}

/** All flags of a context with the way each came to its answer. */
export function explainFlags(projectId: number, context: FlagContext): Promise<FlagExplanation> {
  return api.post('P/burrow/feature_flags/explain/', {
    projectId,
    body: { ...aboutUser(context), ip: context.ip || null },
  });
}

/**
 * Sends the same request as an SDK to the chosen endpoint; an error response is a result too. Throws `ApiFailure`
 * without a response.
 */
export function askFlags(endpoint: FlagEndpoint, token: string, context: FlagContext): Promise<Exchange> {
  return exchange(endpoint.path, {
    body: flagsRequestBody(token, context),
    headers: context.ip === '' ? {} : { 'X-Forwarded-For': context.ip },
  });
}

function aboutUser(context: FlagContext): Record<string, unknown> {
  const optional: Record<string, unknown> = {
    $anon_distinct_id: context.anonDistinctId,
    $device_id: context.deviceId,
    groups: context.groups,
    person_properties: context.personProperties,
    group_properties: context.groupProperties,
  };
  const given = Object.entries(optional).filter(([, value]) => !isNothing(value));
  return { distinct_id: context.distinctId, ...Object.fromEntries(given) };
}

function isNothing(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
