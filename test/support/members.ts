import type { TestApp, TestRequest, TestResponse } from './test-app.ts';

/** A second person of the machine, with a key of their own. */
export interface TestMember {
  key: string;
  userId: number;
  userUuid: string;
  membershipId: string;
  email: string;
  ask(path: string, request?: Omit<TestRequest, 'key'>): Promise<TestResponse>;
}

/** Adds a person to the organization: a plain member unless a level is given. */
export async function addMember(app: TestApp, email: string, level: 1 | 8 | 15 = 1): Promise<TestMember> {
  const body = { email, first_name: email.split('@', 1)[0], level };
  const answer = await app.ask('/api/organizations/@current/members/', { method: 'POST', body });
  if (answer.status !== 201) throw new Error(`A member could not be added: ${answer.text}`);
  const { id, user, personal_api_key: key } = answer.json;
  return {
    key,
    userId: user.id,
    userUuid: user.uuid,
    membershipId: id,
    email,
    ask: (path, request) => app.ask(path, { ...request, key }),
  };
}

/** Takes a person out of the organization. */
export async function removeMember(app: TestApp, member: TestMember): Promise<void> {
  const answer = await app.ask(`/api/organizations/@current/members/${member.userUuid}/`, {
    method: 'DELETE',
  });
  if (answer.status !== 204) throw new Error(`A member could not be removed: ${answer.text}`);
}
