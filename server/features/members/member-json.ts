import type { Membership } from '../organizations/index.ts';
import { embeddedUserOf, type User } from '../users/index.ts';
import type { MemberJson } from './members.contract.ts';

/** A member of an organization. */
export interface Member {
  readonly membership: Membership;
  readonly user: User;
}

export function memberJson({ membership, user }: Member): MemberJson {
  return {
    id: membership.id,
    user: embeddedUserOf(user),
    level: membership.level,
    joined_at: membership.joinedAt,
    updated_at: membership.updatedAt,
    is_2fa_enabled: false,
    has_social_auth: false,
    last_login: user.lastLogin,
  };
}
