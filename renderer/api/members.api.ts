import type { z } from 'zod';
import type { createdMember, MemberJson } from '../../server/features/members/members.contract.ts';
import { request } from './http.ts';

/** A member of this organization. */
export type Member = MemberJson;
export type MemberLevel = MemberJson['level'];
/** A member who was just added, with the key to sign in with, which is not returned again. */
export type AddedMember = z.output<typeof createdMember>;

export interface NewMember {
  email: string;
  first_name: string;
  last_name: string;
  level: MemberLevel;
}

const PATH = '/api/organizations/@current/members/';
/** More people than a machine of one's own will ever have. */
const ALL = 10_000;

/** All members of this organization, in order of joining. */
export async function listMembers(): Promise<Member[]> {
  const page = await request<{ results: Member[] }>(PATH, { query: { order: 'joined_at', limit: ALL } });
  return page.results;
}

/** Adds a person; the answer holds the key, once. */
export function addMember(member: NewMember): Promise<AddedMember> {
  return request<AddedMember>(PATH, { method: 'POST', body: member });
}

/** Changes what a person may do. */
export function setMemberLevel(userUuid: string, level: MemberLevel): Promise<Member> {
  return request<Member>(`${PATH}${userUuid}/`, { method: 'PATCH', body: { level } });
}

/** Removes a person; keys and sessions end immediately. */
export function removeMember(userUuid: string): Promise<void> {
  return request<void>(`${PATH}${userUuid}/`, { method: 'DELETE' });
}
