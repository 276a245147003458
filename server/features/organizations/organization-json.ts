import type { ProjectBasics } from '../projects/index.ts';
import type { OrganizationBasics, OrganizationDetail } from './organizations.contract.ts';
import type { Membership, Organization } from './organizations.store.ts';

/** Features that clients check before they use them; all of them are in this product. */
const FEATURES = [
  { key: 'access_control', name: 'Access control' },
  { key: 'advanced_permissions', name: 'Advanced permissions' },
  { key: 'dashboard_collaboration', name: 'Dashboard collaboration' },
  { key: 'tagging', name: 'Tagging' },
];

/** An organization and a user's membership of it. */
export interface Belonging {
  readonly organization: Organization;
  readonly membership: Membership;
}

export function organizationBasicsOf({ organization, membership }: Belonging): OrganizationBasics {
  return {
    id: organization.id,
    name: organization.name,
    slug: organization.slug,
    logo_media_id: null,
    membership_level: membership.level,
    members_can_use_personal_api_keys: true,
    is_active: true,
    is_not_active_reason: null,
  };
}

/** `projects`: those of the organization that the member may enter. */
export function organizationDetailOf(
  belonging: Belonging,
  projects: readonly ProjectBasics[],
): OrganizationDetail {
  const { organization } = belonging;
  return {
    ...organizationBasicsOf(belonging),
    created_at: organization.createdAt,
    updated_at: organization.updatedAt,
    teams: [...projects],
    projects: projects.map(({ id, name }) => ({ id, organization_id: organization.id, name })),
    available_product_features: FEATURES,
    is_member_join_email_enabled: false,
    customer_id: null,
    enforce_2fa: false,
    // There is no mail here: admins add people by hand.
    members_can_invite: false,
  };
}
