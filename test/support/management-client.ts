import type { RunningServer } from './start-server.ts';

/**
 * The management API of a running server, called by its owner about its first project. Each call throws when it is
 * refused.
 */
export interface ManagementClient {
  get(path: string): Promise<any>;
  post(path: string, body: object): Promise<any>;
  patch(path: string, body: object): Promise<any>;
}

/** Paths are below `P/`. */
export function managementClient(server: Pick<RunningServer, 'url' | 'personalApiKey'>): ManagementClient {
  async function ask(method: string, path: string, body?: object): Promise<any> {
    const answer = await fetch(`${server.url}/api/projects/@current/${path}`, {
      method,
      headers: { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (answer.ok) return answer.json();
    throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    patch: (path, body) => ask('PATCH', path, body),
  };
}
