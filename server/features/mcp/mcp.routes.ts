import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { fail } from '../../errors.ts';
import { CHALLENGE } from '../../http/auth.ts';
import { noResource, Reply, routesOf, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import { refusalOf, sendLocally, textOf } from '../../http/local-request.ts';
import { parseExactly, stringifyExactly } from '../../lib/exact-number.contract.ts';
import { mcpApi } from './mcp.contract.ts';
import type { McpCaller } from './mcp-server.ts';
import { ToolError, type CallApi } from './tool.ts';

/** Requests that are answered at a time; each may have a query running. */
const MAX_OPEN = 32;
/** Of an answer of the API that a tool reads. */
const MAX_ANSWER_CHARACTERS = 33_554_432;
/** Streams of notifications, of which there are none yet. */
const MAX_SUBSCRIPTIONS = 8;

const route = routesOf(mcpApi);

interface Loaded {
  respond: McpHttpHandler['fetch'];
  close: McpHttpHandler['close'];
}

export interface McpRoutes {
  routes: ManagementRoute[];
  close(): Promise<void>;
}

/**
 * The endpoint of streamable HTTP, without sessions: each request has its key with it, and leaves nothing behind. The SDK is
 * loaded by the first request.
 */
export function mcpRoutes({ version }: { version: string }): McpRoutes {
  let loading: Promise<Loaded> | null = null;
  let open = 0;

  async function load(): Promise<Loaded> {
    const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server'),
      import('./mcp-server.ts'),
    ]);
    const { fetch: respond, close } = createMcpHandler(
      ({ authInfo }) => createMcpServer(authInfo!.extra!['caller'] as McpCaller),
      {
        maxSubscriptions: MAX_SUBSCRIPTIONS,
      },
    );
    return { respond, close };
  }

  const routes = [
    route('POST /mcp/', {
      auth: 'key',
      scope: noResource('Each tool calls the API with the key of the request, which checks its scopes.'),
      unrestricted: true,
      summary: 'Answers assistants by the Model Context Protocol (streamable HTTP, without sessions).',
      otherStatuses: [202, 400, 404, 405, 406, 413, 415],
      errors: ['throttled'],
      async handle({ req, res, actor, query, sent, url, signal }) {
        const key = bearerOf(req);
        // A page of the console has a session; an assistant acts by a key, which can be narrower.
        if (actor.keyId === null || key === null) throw fail('not_authenticated', { headers: CHALLENGE });
        if (open >= MAX_OPEN) throw fail('throttled', { headers: { 'Retry-After': '1' } });
        open++;
        res.once('close', () => open--);
        const caller: McpCaller = {
          callApi: callWith(req, key, signal),
          scopes: actor.scopes,
          allowWrites: query.allow_writes ?? false,
          project: query.project ?? onlyProjectOf(actor),
          version,
        };
        const { method, headers } = req;
        const request = new Request(url, {
          method: method!,
          headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
          body: stringifyExactly(sent),
          signal,
        });
        const { respond } = await (loading ??= load());
        // The route has checked the key; the SDK hands this on to the server that it creates for the request.
        const authInfo = { token: '', clientId: '', scopes: [], extra: { caller } };
        return replyOf(await respond(request, { authInfo }));
      },
    }),
  ];
  return {
    routes,
    async close() {
      await (await loading)?.close();
    },
  };
}

function bearerOf({ headers }: IncomingMessage): string | null {
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** The project of a key that has only one. */
function onlyProjectOf({ scopedProjects }: Actor): number | null {
  return scopedProjects.length === 1 ? scopedProjects[0]! : null;
}

/** Calls this server at the address where the request has reached it, with the same key. */
function callWith({ socket }: IncomingMessage, key: string, gone: AbortSignal): CallApi {
  return async ({ method, path, body, signal }) => {
    const text = body === undefined ? undefined : stringifyExactly(body);
    const answer = await sendLocally({
      host: socket.localAddress ?? '127.0.0.1',
      port: socket.localPort!,
      path,
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: text,
      signal: AbortSignal.any([signal, gone]),
    });
    if (answer.statusCode! >= 400) throw new ToolError(await refusalOf(answer));
    const found = await textOf(answer, MAX_ANSWER_CHARACTERS);
    if (found === null)
      throw new ToolError('The result is too large. Narrow the question, or use a smaller limit.');
    return found === '' ? null : parseExactly(found);
  };
}

function replyOf({ status, headers, body }: Response): Reply {
  return new Reply(status, undefined, Object.fromEntries(headers), async (res) => {
    if (body === null) return void res.end();
    await pipeline(Readable.fromWeb(body as never), res).catch(() => undefined);
  });
}
