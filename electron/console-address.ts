import type { ServerProcess } from './server-process.ts';

/** Where the console is: on the server, or on the development server that reloads it while it is worked on. */
export interface ConsoleAddress {
  /** The origin whose pages are the console's, or null while no server runs. */
  origin(): string | null;
  /** An address that signs a window in, once. Rejects as `ServerProcess.signInUrl` does. */
  signInUrl(): Promise<string>;
}

export function createConsoleAddress(
  server: Pick<ServerProcess, 'state' | 'signInUrl'>,
  developmentOrigin: string | undefined,
): ConsoleAddress {
  const serverOrigin = (): string | null =>
    server.state.phase === 'running' ? new URL(server.state.url).origin : null;
  return {
    origin: () => serverOrigin() && (developmentOrigin ?? serverOrigin()),
    signInUrl: async () => {
      const signIn = await server.signInUrl();
      return developmentOrigin === undefined ? signIn : moveTo(developmentOrigin, signIn);
    },
  };
}

function moveTo(origin: string, address: string): string {
  const { pathname, search, hash } = new URL(address);
  return new URL(`${pathname}${search}${hash}`, origin).href;
}
