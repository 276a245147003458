import { PostHog } from 'posthog-node';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { RunningServer } from './start-server.ts';

export type NodeOptions = NonNullable<ConstructorParameters<typeof PostHog>[1]>;

/** A request of a client, and its response. */
export interface NodeRequest {
  path: string;
  status: number;
}

export interface NodeClients {
  /** A client whose requests and errors are noted. */
  connect(options?: NodeOptions, key?: string): PostHog;
  requests: NodeRequest[];
  /** What clients reported through their error event; a test that expects some takes them out. */
  errors: unknown[];
}

/** Clients of posthog-node for the tests of one file; a test fails when a client of it reports an error unasked. */
export function nodeClients(server: () => Pick<RunningServer, 'url' | 'projectApiKey'>): NodeClients {
  const clients: NodeClients = { connect, requests: [], errors: [] };

  beforeEach(() => {
    clients.requests = [];
    clients.errors = [];
    // The SDK says on the console what these tests look at through its error event, and that older calls are deprecated.
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(console, 'warn').mockReturnValue();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    expect(clients.errors).toEqual([]);
  });

  function connect(options: NodeOptions = {}, key = server().projectApiKey): PostHog {
    const client = new PostHog(key, {
      host: server().url,
      disableGeoip: true,
      fetch: async (url, { headers, body, method }) => {
        const answer = await fetch(url, {
          method,
          headers,
          ...(body == null ? {} : { body: body as string }),
        });
        clients.requests.push({ path: new URL(url).pathname, status: answer.status });
        return answer;
      },
      ...options,
    });
    client.on('error', (error) => clients.errors.push(error));
    return client;
  }

  return clients;
}
