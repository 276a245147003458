import { z } from 'zod';
import { integerField, textField } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { embeddedUser, personNameField } from '../users/users.contract.ts';

const LEVELS = [1, 8, 15] as const;
const EMAIL_LENGTH = 254;

const levelField = () => integerField().pipe(z.literal(LEVELS));

/** A member of an organization (management contract 8.2). */
export const member = z
  .strictObject({
    id: z.uuid(),
    user: embeddedUser,
    level: z.literal(LEVELS),
    joined_at: z.string(),
    updated_at: z.string(),
    is_2fa_enabled: z.boolean(),
    has_social_auth: z.boolean(),
    last_login: z.string().nullable(),
  })
  .meta({ id: 'OrganizationMember' });
export type MemberJson = z.output<typeof member>;
export type MemberLevel = MemberJson['level'];

export const memberPage = pageSchema(member);

/** A person who was just added, with the key to sign in by, shown this once. */
export const createdMember = member.extend({ personal_api_key: z.string() });

const createMemberBody = z.object({
  email: textField(EMAIL_LENGTH)
    .pipe(z.email({ message: 'This is not a valid email address.' }))
    .meta({ example: 'ada@example.com' }),
  first_name: personNameField().optional(),
  last_name: personNameField().optional(),
  level: levelField().optional(),
});
export type CreateMemberBody = z.output<typeof createMemberBody>;

const patchMemberBody = z.object({ level: levelField() });

const ORDERS = ['joined_at', '-joined_at'] as const;
const membersQuery = z.looseObject({ order: z.string().optional() });

/** Whether the list starts with the newest member; an invalid order counts as absent. */
export function isNewestFirst(order: string | undefined): boolean {
  return order !== ORDERS[0];
}

const listParams = z.object({ organization_id: z.string() });

export const memberParams = z.object({
  organization_id: z.string(),
  user__uuid: z.union([z.literal('@me'), z.uuid()]),
});

export const membersApi = {
  'GET /api/organizations/:organization_id/members/': {
    params: listParams,
    query: membersQuery,
    response: memberPage,
  },
  'POST /api/organizations/:organization_id/members/': {
    params: listParams,
    body: createMemberBody,
    response: createdMember,
  },
  'GET /api/organizations/:organization_id/members/:user__uuid/': { params: memberParams, response: member },
  'PATCH /api/organizations/:organization_id/members/:user__uuid/': {
    params: memberParams,
    body: patchMemberBody,
    response: member,
  },
  'DELETE /api/organizations/:organization_id/members/:user__uuid/': { params: memberParams, response: null },
};
