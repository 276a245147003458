import { sessionIdOf } from '../../http/auth.ts';
import { noResource, Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { consoleUrl, portOf, sessionCookie } from '../../http/session.ts';
import type { Organizations } from '../organizations/index.ts';
import { RUN_KEY_SCOPE } from '../personal-api-keys/index.ts';
import { projectBasicsOf, type Projects } from '../projects/index.ts';
import { readCurrentUser, type Users } from '../users/index.ts';
import { type ServerInfo, consoleApi } from './console.contract.ts';
import type { Console } from './console.service.ts';

const route = routesOf(consoleApi);

interface Dependencies {
  console: Console;
  users: Users;
  organizations: Organizations;
  projects: Projects;
  version: string;
  /** Called on each request, because addresses come and go. */
  readServerInfo: () => ServerInfo;
}

export function consoleRoutes(dependencies: Dependencies): ManagementRoute[] {
  const { console, projects, version, readServerInfo } = dependencies;

  async function sessionJson(actor: Actor) {
    return {
      user: await readCurrentUser(actor, dependencies),
      projects: (await projects.listFor(actor)).map(projectBasicsOf),
      current_project_id: actor.currentProjectId,
      version,
    };
  }

  return [
    route('POST /api/burrow/session/', {
      auth: 'none',
      scope: noResource('It signs in, by a credential in the body.'),
      summary: 'Signs a browser in to the console by a one-time token or a personal API key.',
      errors: ['authentication_failed', 'missing_scope'],
      handle: async ({ body, req, url }) => {
        const { sessionId, actor } = console.signIn(body);
        const cookie = sessionCookie(portOf(req), sessionId, url.protocol === 'https:');
        return Reply.json(200, await sessionJson(actor), { 'Set-Cookie': cookie });
      },
    }),
    route('GET /api/burrow/session/', {
      auth: 'key',
      scope: ['user:read'],
      summary: 'Retrieves the current session and the projects.',
      handle: ({ actor }) => sessionJson(actor),
    }),
    route('DELETE /api/burrow/session/', {
      auth: 'none',
      scope: noResource('It signs out the session of the request.'),
      summary: 'Signs this browser out.',
      handle: ({ req, url }) => {
        const sessionId = sessionIdOf(req);
        if (sessionId !== null) console.signOut(sessionId);
        return Reply.empty(204, {
          'Set-Cookie': sessionCookie(portOf(req), null, url.protocol === 'https:'),
        });
      },
    }),
    route('POST /api/burrow/sign_in_links/', {
      auth: 'key',
      scope: [RUN_KEY_SCOPE],
      summary: 'Creates a console link that signs you in once, within 10 minutes.',
      status: 201,
      handle: ({ actor }) => ({
        console_url: consoleUrl(readServerInfo().url, console.issueToken(actor.user.id)),
      }),
    }),
    route('GET /api/burrow/server/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves the address and data folder of this server.',
      handle: () => readServerInfo(),
    }),
  ];
}
