import { templateOf } from './dashboard-client.ts';
import { addMember, type TestMember } from './members.ts';
import { createKey, createProject, expectStatus } from './owner-calls.ts';
import { openTestApp, type TestApp, type TestResponse } from './test-app.ts';

/** The two path families of the specification. */
export const FAMILIES = ['projects', 'environments'] as const;
export type Family = (typeof FAMILIES)[number];

/** The key scopes that the specification names. */
const SCOPES = ['dashboard:read', 'dashboard:write', 'sharing_configuration:read', 'query:read'] as const;
export type SeedScope = (typeof SCOPES)[number];

/** A client script with the specification, a URL and its keys. */
export interface Script {
  readonly app: TestApp;
  /** `/api/<family>/<project>`. */
  readonly P: string;
  readonly keys: Readonly<Record<SeedScope, string>>;
  /** Sends a request with the key of that scope, and JSON when there is a body. */
  ask(scope: SeedScope, method: string, path: string, body?: unknown): Promise<TestResponse>;
  /** Makes a dashboard and returns it. */
  createDashboard(body?: object): Promise<any>;
  getDashboard(id: number): Promise<any>;
  /** Makes a dashboard with one text and one insight, and returns it. */
  createWithTiles(name?: string): Promise<any>;
}

/** Starts a server with an owner who has one key for each scope, and a script against one path family. */
export async function openScript(family: Family): Promise<Script> {
  const app = await openTestApp();
  const role = { role_at_organization: 'engineering' };
  expectStatus(200, await app.ask('/api/users/@me/', { method: 'PATCH', body: role }));
  const entries = [];
  for (const scope of SCOPES) entries.push([scope, await createKey(app, [scope])] as const);
  const keys = Object.fromEntries(entries) as Record<SeedScope, string>;
  const { results: projects } = (await app.ask('/api/projects/')).json;
  const P = `/api/${family}/${projects[0].id}`;

  const ask: Script['ask'] = (scope, method, path, body) => app.ask(path, { key: keys[scope], method, body });
  const getDashboard: Script['getDashboard'] = async (id) =>
    expectStatus(200, await ask('dashboard:read', 'GET', `${P}/dashboards/${id}/`)).json;
  return {
    app,
    P,
    keys,
    ask,
    getDashboard,
    createDashboard: async (body = { name: 'Weekly' }) =>
      expectStatus(201, await ask('dashboard:write', 'POST', `${P}/dashboards/`, body)).json,
    async createWithTiles(name = 'Starter') {
      const path = `${P}/dashboards/create_from_template_json/`;
      expectStatus(
        200,
        await ask('dashboard:write', 'POST', path, {
          template: templateOf(name),
        }),
      );
      const list = await ask('dashboard:read', 'GET', `${P}/dashboards/?limit=1000`);
      const made = list.json.results.find((dashboard: { name: string }) => dashboard.name === name);
      return getDashboard(made.id);
    },
  };
}

/** A second person of the organization, who may see the project and restricts nothing. */
export function openSecondMember({ app }: Script): Promise<TestMember> {
  return addMember(app, 'lin@local.test');
}

/** A second project, and a key of each scope that is restricted to it. */
export async function createForeignKeys({ app }: Script): Promise<Record<SeedScope, string>> {
  const id = await createProject(app);
  // A person has at most ten keys, so the scopes share one.
  const key = await createKey(app, SCOPES, { scoped_teams: [id] });
  return Object.fromEntries(SCOPES.map((scope) => [scope, key])) as Record<SeedScope, string>;
}
