import { z } from 'zod';
import { pageSchema } from '../../http/paging.contract.ts';
import { projectBasics } from '../projects/projects.contract.ts';

/** What lists and `/api/users/@me/` show of an organization (management contract 8.1). */
export const organizationBasics = z.strictObject({
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

/** The whole of an organization (8.2); of its projects those that the caller may enter. */
export const organizationDetail = organizationBasics.extend({
  created_at: z.string(),
  updated_at: z.string(),
  teams: z.array(projectBasics),
  projects: z.array(z.strictObject({ id: z.int(), organization_id: z.uuid(), name: z.string() })),
  available_product_features: z.array(z.strictObject({ key: z.string(), name: z.string() })),
  is_member_join_email_enabled: z.boolean(),
  customer_id: z.string().nullable(),
  enforce_2fa: z.boolean(),
  members_can_invite: z.boolean(),
});
export type OrganizationDetail = z.output<typeof organizationDetail>;

export const organizationPage = pageSchema(organizationBasics);

export const organizationsApi = {
  'GET /api/organizations/': { response: organizationPage },
  'GET /api/organizations/:organization_id/': {
    params: z.object({ organization_id: z.string() }),
    response: organizationDetail,
  },
};
