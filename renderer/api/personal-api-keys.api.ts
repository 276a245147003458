import type { PersonalApiKeyJson } from '../../server/features/personal-api-keys/personal-api-keys.contract.ts';
import { request } from './http.ts';

/** A key of the caller's; `value` is the key itself, in the answer that creates it and never again. */
export type PersonalApiKey = PersonalApiKeyJson;

/** What a key is called, and what it may do and where. No projects: in all. */
export interface KeyBody {
  label: string;
  scopes: readonly string[];
  scoped_teams: readonly number[];
}

const PATH = '/api/personal_api_keys/';

/** The caller's keys, newest first. */
export function listKeys(): Promise<PersonalApiKey[]> {
  return request<PersonalApiKey[]>(PATH);
}

/** Makes a key; the answer holds its value, once. */
export function createKey(body: KeyBody): Promise<PersonalApiKey> {
  return request<PersonalApiKey>(PATH, { method: 'POST', body });
}

/** Changes what a key is called and may do; the key itself stays. */
export function changeKey(id: string, body: KeyBody): Promise<PersonalApiKey> {
  return request<PersonalApiKey>(`${PATH}${id}/`, { method: 'PATCH', body });
}

/** Deletes a key; it stops working immediately. */
export function deleteKey(id: string): Promise<void> {
  return request<void>(`${PATH}${id}/`, { method: 'DELETE' });
}
