import { expect } from 'vitest';
import { addMember, type TestMember } from './members.ts';
import { openTestApp, type TestApp, type TestResponse } from './test-app.ts';

const P = '/api/projects/1/';

/** What a PUT of a rule says. */
export interface RuleBody {
  access_level?: string | null;
  organization_member?: string | null;
  role?: string | null;
  resource?: string;
  resource_id?: unknown;
}

/** Sets a rule at a path below project 1, as the owner unless a key is given. */
export function putRule(
  app: TestApp,
  path: string,
  body: RuleBody | object,
  key = app.key,
): Promise<TestResponse> {
  return app.ask(P + path, { method: 'PUT', key, body });
}

/** An app with a plain member, and a dashboard of the owner with the path of its rules. */
export async function openWithDashboard(): Promise<{
  app: TestApp;
  lin: TestMember;
  id: number;
  path: string;
}> {
  const app = await openTestApp();
  const lin = await addMember(app, 'lin@local.test');
  const answer = await app.ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Weekly' } });
  expect(answer.status).toBe(201);
  const id = answer.json.id as number;
  return { app, lin, id, path: `dashboards/${id}/access_controls/` };
}
