import type { TestApp, TestResponse } from './test-app.ts';

/** A key of the owner, or of the caller with `key`, with these scopes and limits. */
export async function createKey(
  app: TestApp,
  scopes: readonly string[],
  limits: { scoped_teams?: readonly number[]; key?: string } = {},
): Promise<string> {
  const { key, ...rest } = limits;
  const body = { label: scopes.join(' ').slice(0, 40), scopes, ...rest };
  const speaker = key === undefined ? {} : { key };
  const made = await app.ask('/api/personal_api_keys/', {
    method: 'POST',
    body,
    ...speaker,
  });
  return expectStatus(201, made).json.value;
}

/** Adds a project and returns its id. */
export async function createProject(app: TestApp, name = 'Second'): Promise<number> {
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name },
  });
  return expectStatus(201, made).json.id;
}

/** The answer, when it has that status; throws what it says instead. */
export function expectStatus(status: number, answer: TestResponse): TestResponse {
  if (answer.status === status) return answer;
  throw new Error(`${status} was expected, and the answer was ${answer.status} ${answer.text}`);
}
