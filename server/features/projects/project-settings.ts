import { fail } from '../../errors.ts';

/**
 * Fields of a project that are not settings, and credentials that any body may contain: never stored as a setting.
 */
const NO_SETTINGS: ReadonlySet<string> = new Set([
  'id',
  'uuid',
  'organization',
  'organization_id',
  'project_id',
  'api_token',
  'name',
  'timezone',
  'ingested_event',
  'is_demo',
  'created_at',
  'updated_at',
  'effective_membership_level',
  'has_group_types',
  'group_types',
  'live_events_token',
  'user_access_level',
  'personal_api_key',
  'api_key',
  'token',
  'secret_api_token',
  'secret_api_token_backup',
  '__proto__',
]);
const MAX_LENGTH = 262_144;

/** Lists and objects have no null: sending one sets them back to what they are without. */
const EMPTIED: ReadonlySet<string> = new Set([
  'has_completed_onboarding_for',
  'app_urls',
  'test_account_filters',
  'path_cleaning_filters',
  'data_attributes',
  'correlation_config',
  'recording_domains',
]);

/** Settings of a project as a body changes them. Throws invalid_input when they would grow too large. */
export function changeSettings(
  settings: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...settings };
  for (const [name, value] of Object.entries(body)) {
    if (NO_SETTINGS.has(name) || value === undefined) continue;
    if (value === null && EMPTIED.has(name)) delete changed[name];
    else changed[name] = value;
  }
  if (JSON.stringify(changed).length > MAX_LENGTH)
    throw fail('invalid_input', {
      detail: `The settings of a project are limited to ${MAX_LENGTH} characters.`,
    });
  return changed;
}
