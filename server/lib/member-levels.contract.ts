/** The levels of an organization's members, as PostHog numbers them; a member has 1. */
export const ADMIN = 8;
export const OWNER = 15;
