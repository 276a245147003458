import type { Membership, Organization } from '../organizations/index.ts';
import type { ProjectBasics } from '../projects/index.ts';
import type { CurrentUser, EmbeddedUser, OrganizationBasics } from './users.contract.ts';
import type { User } from './users.store.ts';

interface Belonging {
  organization: Organization;
  membership: Membership;
}

/** A person as other objects show them. */
export function embeddedUserOf(user: User): EmbeddedUser {
  return {
    id: user.id,
    uuid: user.uuid,
    distinct_id: user.distinctId,
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    is_email_verified: user.isEmailVerified,
    hedgehog_config: user.hedgehogConfig,
    role_at_organization: user.roleAtOrganization,
  };
}

/** The caller as `/api/users/@me/` shows it. The first membership is the current one. */
export function currentUserOf(
  user: User,
  memberships: readonly Belonging[],
  team: ProjectBasics | null,
): CurrentUser {
  const current = memberships[0];
  return {
    ...embeddedUserOf(user),
    date_joined: user.createdAt,
    pending_email: null,
    is_staff: false,
    has_password: false,
    is_2fa_enabled: false,
    has_social_auth: false,
    theme_mode: user.themeMode,
    organizations: memberships.map(organizationBasicsOf),
    team,
    organization:
      current === undefined
        ? null
        : {
            ...organizationBasicsOf(current),
            created_at: current.organization.createdAt,
            updated_at: current.organization.updatedAt,
          },
  };
}

function organizationBasicsOf({ organization, membership }: Belonging): OrganizationBasics {
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
