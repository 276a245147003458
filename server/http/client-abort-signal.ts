import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Aborts when the client disconnects before the response is complete, and for a HEAD request that opened a stream.
 */
export function clientAbortSignal(req: IncomingMessage, res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished || req.method === 'HEAD') controller.abort();
  });
  return controller.signal;
}
