import { createServer } from 'node:net';

/** The default port, which SDKs are configured with. */
export const DEFAULT_PORT = 2877;
const TRIED = 20;

/** The first free port from `wanted` upward. After 20 taken ones it returns `wanted`, and the server reports the error. */
export async function findFreePort(
  wanted: number,
  isFree: (port: number) => Promise<boolean> = canListen,
): Promise<number> {
  for (let port = wanted; port < wanted + TRIED && port <= 65_535; port += 1) {
    if (await isFree(port)) return port;
  }
  return wanted;
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
