import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { version } from '../../package.json';
import type { Config } from '../config.ts';
import { NotRunningError } from '../console-link.ts';
import { loadMcpServer, ToolError, type CallApi } from '../features/mcp/index.ts';
import { textOf } from '../http/local-request.ts';
import { parseExactly } from '../lib/exact-number.contract.ts';
import { RefusedError, signIn, type ServerClient } from './server-client.ts';
import type { Terminal } from './terminal.ts';

/**
 * Serves the Model Context Protocol on standard input and output, as the owner of the running server. Without a server it
 * starts all the same, since assistants start it once: each call says what is missing until a server runs. Ends with the
 * program that started it, which closes its input.
 */
export async function mcp(config: Config, terminal: Terminal): Promise<void> {
  const { dataDir, call } = config;
  let signedIn: Promise<ServerClient> | null = null;
  const client = (): Promise<ServerClient> => {
    signedIn ??= signIn(dataDir, terminal).catch((error: unknown) => {
      signedIn = null;
      throw error;
    });
    return signedIn;
  };

  /** A server that has restarted answers to a new sign-in only. */
  async function send(request: Parameters<CallApi>[0], mayRepeat: boolean): Promise<unknown> {
    const { method, path, body, signal } = request;
    try {
      const answer = await (await client()).open(path, { method, body, signal });
      const text = await textOf(answer);
      return text === '' ? null : parseExactly(text!);
    } catch (error) {
      const isGone =
        error instanceof NotRunningError || (error instanceof RefusedError && error.status === 401);
      if (!isGone || signal.aborted) throw error;
      signedIn = null;
      // A write may have been done before its answer was lost.
      const isUndone = method === 'GET' || error instanceof RefusedError || isUnreached(error);
      if (mayRepeat && isUndone) return await send(request, false);
      throw error;
    }
  }
  const callApi: CallApi = async (request) => {
    try {
      return await send(request, true);
    } catch (error) {
      if (error instanceof NotRunningError || error instanceof RefusedError)
        throw new ToolError(error.message, { cause: error });
      throw error;
    }
  };

  // Said where clients keep their logs; it is no reason to end, or to wait.
  void client().catch((error: Error) => terminal.stderr.write(`${error.message}\n`));
  const createMcpServer = await loadMcpServer();
  const transport = new StdioServerTransport(terminal.stdin, terminal.stdout);
  const server = serveStdio(
    () =>
      createMcpServer({
        callApi,
        scopes: ['*'],
        allowWrites: call.allowWrites,
        project: call.project,
        version,
      }),
    { transport },
  );
  await new Promise<void>((resolve) => {
    terminal.stdin.once('end', resolve).once('close', resolve);
    terminal.signal.addEventListener('abort', () => resolve(), { once: true });
    if (terminal.signal.aborted) resolve();
  });
  await server.close();
  terminal.stdin.destroy();
  await (await (signedIn as Promise<ServerClient> | null)?.catch(() => null))?.close();
}

/** Nothing listens any more at the address that the server had. */
function isUnreached({ cause }: Error): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}
