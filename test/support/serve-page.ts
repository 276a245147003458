import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PageServer {
  /** Origin of the pages, on a port of its own: to the server under test it is a foreign site. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves one HTML document under every path, except for `scripts` (path -> JavaScript): a third-party app whose pages
 * send requests to the server under test.
 */
export async function servePage(
  html: string,
  scripts: Readonly<Record<string, string>> = {},
): Promise<PageServer> {
  const server = createServer((req, res) => {
    if (req.url === '/favicon.ico') res.writeHead(204).end();
    else if (scripts[req.url ?? ''] !== undefined) {
      res.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(scripts[req.url!]);
    } else res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
