import { organizationBasicsOf, organizationDetailOf, type Belonging } from '../organizations/index.ts';
import { projectBasicsOf, type Project } from '../projects/index.ts';
import type { CurrentUser, EmbeddedUser } from './users.contract.ts';
import type { User } from './users.store.ts';

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

/**
 * The caller as `/api/users/@me/` shows it. The first membership is the current one; `projects` are those of it that the
 * caller may enter, and `currentProjectId` the one that `@current` means.
 */
export function currentUserOf(
  user: User,
  memberships: readonly Belonging[],
  projects: readonly Project[],
  currentProjectId: number,
): CurrentUser {
  const current = memberships[0];
  const basics = projects.map(projectBasicsOf);
  return {
    ...embeddedUserOf(user),
    date_joined: user.createdAt,
    notification_settings: user.notificationSettings,
    theme_mode: user.themeMode,
    ...UNUSED,
    organizations: memberships.map(organizationBasicsOf),
    team: basics.find(({ id }) => id === currentProjectId) ?? null,
    organization: current === undefined ? null : organizationDetailOf(current, basics),
  };
}

/** What people here do not have: passwords, other ways to sign in, staff, a toolbar. */
const UNUSED = {
  pending_email: null,
  anonymize_data: false,
  allow_impersonation: false,
  toolbar_mode: 'disabled',
  has_password: false,
  is_staff: false,
  is_impersonated: false,
  is_impersonated_until: null,
  sensitive_session_expires_at: null,
  events_column_config: { active: 'DEFAULT' },
  is_2fa_enabled: false,
  has_social_auth: false,
  has_seen_product_intro_for: {},
  scene_personalisation: [],
};
