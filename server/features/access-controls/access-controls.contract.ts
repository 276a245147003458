import { z } from 'zod';

/** A rule as it is shown (management contract 5.1). */
export const accessControl = z.strictObject({
  access_level: z.string(),
  resource: z.string(),
  /** null: every object of the resource. */
  resource_id: z.string().nullable(),
  /** The id of a membership, not of a user; neither member nor role: all members. */
  organization_member: z.uuid().nullable(),
  role: z.uuid().nullable(),
  /** Always null: clients read a text here, and it is never filled. */
  created_by: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type AccessControl = z.output<typeof accessControl>;

/** The rules of an object or a project, what they may say, and whether the caller may change them. */
export const accessControls = z.strictObject({
  access_controls: z.array(accessControl),
  available_access_levels: z.array(z.string()),
  default_access_level: z.string(),
  minimum_access_level: z.string(),
  maximum_access_level: z.string(),
  user_access_level: z.string(),
  user_can_edit_access_levels: z.boolean(),
});
export type AccessControls = z.output<typeof accessControls>;

/** Who may reach an object, and why. */
export const usersWithAccess = z.strictObject({
  users: z.array(
    z.strictObject({
      user_id: z.uuid(),
      access_level: z.string(),
      access_source: z.enum([
        'explicit_member',
        'explicit_role',
        'organization_admin',
        'project_admin',
        'creator',
        'default',
      ]),
      organization_membership_id: z.uuid(),
      organization_membership_level: z.enum(['member', 'admin', 'owner']),
    }),
  ),
  total_count: z.int(),
});
export type UsersWithAccess = z.output<typeof usersWithAccess>;

/** A rule for one member, one role or, with neither, all members. */
const target = {
  organization_member: z.guid().toLowerCase().nullish(),
  role: z.guid().toLowerCase().nullish().meta({ example: null }),
};

function namesBoth({
  organization_member,
  role,
}: {
  organization_member?: unknown;
  role?: unknown;
}): boolean {
  return (organization_member ?? null) !== null && (role ?? null) !== null;
}

const ONE_OF_BOTH = { message: 'Specify a member or a role, not both.' };

/** What is to hold for whom; a level of null takes the rule away. */
export function putRuleBody(levels: readonly string[]) {
  return z
    .object({
      access_level: z.enum(levels as [string, ...string[]]).nullable(),
      resource_id: z.unknown().optional(),
      ...target,
    })
    .refine((body) => !namesBoth(body), ONE_OF_BOTH);
}

export function putResourceRuleBody(resources: readonly string[], levels: readonly string[]) {
  return z
    .object({
      resource: z.enum(resources as [string, ...string[]]),
      access_level: z.enum(levels as [string, ...string[]]).nullable(),
      resource_id: z.unknown().optional(),
      ...target,
    })
    .refine((body) => !namesBoth(body), ONE_OF_BOTH);
}

export interface PutRule {
  access_level: string | null;
  resource_id?: unknown;
  organization_member?: string | null | undefined;
  role?: string | null | undefined;
}

/** Longest name of a tool that keeps rules. */
const MAX_MANAGER = 400;

/** Which tool keeps a rule, as it says itself; null: none any more. */
export function managementBody(resources: readonly string[]) {
  return z
    .object({
      resource: z.enum(resources as [string, ...string[]]),
      resource_id: z.union([z.string().max(MAX_MANAGER), z.int().transform(String)]).nullish(),
      managed_by: z.string().min(1).max(MAX_MANAGER).nullable(),
      ...target,
    })
    .refine((body) => !namesBoth(body), ONE_OF_BOTH);
}

export const management = z.strictObject({
  managed_by: z.string().nullable(),
  managed_at: z.string().nullable(),
});
export type Management = z.output<typeof management>;

export const accessControlsApi = {
  'GET P/access_controls/': { response: accessControls },
  'GET P/resource_access_controls/': { response: accessControls },
};
