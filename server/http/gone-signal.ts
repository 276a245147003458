import type { IncomingMessage, ServerResponse } from 'node:http';

/** Fires when the client goes away before its answer is complete, or never wanted the stream that it began. */
export function goneSignal(req: IncomingMessage, res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished || req.method === 'HEAD') controller.abort();
  });
  return controller.signal;
}
