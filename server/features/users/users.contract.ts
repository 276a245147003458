import { z } from 'zod';
import { projectBasics } from '../projects/projects.contract.ts';

const organizationBasics = z.object({
  id: z.uuid(),
  name: z.string(),
  slug: z.string(),
  logo_media_id: z.string().nullable(),
  membership_level: z.literal([1, 8, 15]),
  members_can_use_personal_api_keys: z.boolean(),
  is_active: z.boolean(),
  is_not_active_reason: z.string().nullable(),
});
export type OrganizationBasics = z.output<typeof organizationBasics>;

/** A person as other objects show them, such as `created_by` (management contract 3.1). */
export const embeddedUser = z.strictObject({
  id: z.int(),
  uuid: z.uuid(),
  distinct_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  is_email_verified: z.boolean().nullable(),
  hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
  role_at_organization: z.string().nullable(),
});
export type EmbeddedUser = z.output<typeof embeddedUser>;

/** The caller (management contract 8.1). */
export const currentUser = z.object({
  id: z.int(),
  uuid: z.uuid(),
  distinct_id: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  date_joined: z.string(),
  pending_email: z.string().nullable(),
  is_email_verified: z.boolean().nullable(),
  is_staff: z.boolean(),
  has_password: z.boolean(),
  is_2fa_enabled: z.boolean(),
  has_social_auth: z.boolean(),
  theme_mode: z.string().nullable(),
  role_at_organization: z.string().nullable(),
  hedgehog_config: z.record(z.string(), z.unknown()).nullable(),
  organizations: z.array(organizationBasics),
  team: projectBasics.extend({ timezone: z.string() }).nullable(),
  organization: organizationBasics.extend({ created_at: z.string(), updated_at: z.string() }).nullable(),
});
export type CurrentUser = z.output<typeof currentUser>;
