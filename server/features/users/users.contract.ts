import { z } from 'zod';
import { freeTextField, integerField } from '../../http/fields.contract.ts';
import { organizationBasics, organizationDetail } from '../organizations/organizations.contract.ts';
import { projectBasics } from '../projects/projects.contract.ts';

const ROLES = [
  'engineering',
  'data',
  'product',
  'founder',
  'leadership',
  'marketing',
  'sales',
  'other',
] as const;
const THEMES = ['light', 'dark', 'system'] as const;
const NAME_LENGTH = 150;
const settings = z.record(z.string(), z.unknown());

/** A first or last name. */
export function personNameField() {
  return freeTextField(NAME_LENGTH);
}

/** A person as other objects show them, such as `created_by` (management contract 3.1). */
export const embeddedUser = z
  .strictObject({
    id: z.int(),
    uuid: z.uuid(),
    distinct_id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string(),
    is_email_verified: z.boolean().nullable(),
    hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
    role_at_organization: z.string().nullable(),
  })
  .meta({ id: 'User' });
export type EmbeddedUser = z.output<typeof embeddedUser>;

/** The caller (management contract 8.1). */
export const currentUser = embeddedUser.extend({
  date_joined: z.string(),
  pending_email: z.string().nullable(),
  notification_settings: settings,
  anonymize_data: z.boolean(),
  allow_impersonation: z.boolean(),
  toolbar_mode: z.string(),
  has_password: z.boolean(),
  is_staff: z.boolean(),
  is_impersonated: z.boolean(),
  is_impersonated_until: z.string().nullable(),
  sensitive_session_expires_at: z.string().nullable(),
  events_column_config: settings,
  is_2fa_enabled: z.boolean(),
  has_social_auth: z.boolean(),
  has_seen_product_intro_for: settings,
  scene_personalisation: z.array(z.unknown()),
  theme_mode: z.enum(THEMES).nullable(),
  organizations: z.array(organizationBasics),
  team: projectBasics.nullable(),
  organization: organizationDetail.nullable(),
});
export type CurrentUser = z.output<typeof currentUser>;

/** What one may change of oneself; what is absent stays as it is. */
const patchUserBody = z.object({
  first_name: personNameField().optional(),
  last_name: personNameField().optional(),
  theme_mode: z.enum(THEMES).nullish(),
  role_at_organization: z.enum(ROLES).nullish(),
  hedgehog_config: settings.nullish(),
  notification_settings: settings.optional(),
  set_current_team: integerField().optional(),
  set_current_organization: z.uuid().optional(),
});
export type PatchUserBody = z.output<typeof patchUserBody>;

export const usersApi = {
  'GET /api/users/@me/': { response: currentUser },
  'PATCH /api/users/@me/': { body: patchUserBody, response: currentUser },
};
