import type { ServerResponse } from 'node:http';

/** Maximum milliseconds that a response waits for others, plus the rest of the current event loop turn. */
const MAX_DELAY_MS = 1;

type Body = string | Buffer | undefined;

/** Ends responses of one event loop turn together. */
export interface ResponseBatcher {
  end(res: ServerResponse, body: Body): void;
}

/**
 * A write that wakes a sleeping client costs more than the write itself. When clients receive responses one by one,
 * each sleeps again before the next; in a batch hardly any does. A single response is sent in the same turn. `now`
 * returns milliseconds.
 */
export function createResponseBatcher(now: () => number = () => performance.now()): ResponseBatcher {
  let waiting: [res: ServerResponse, body: Body][] = [];
  let startedAt = 0;

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (const [res, body] of all) res.end(body);
  }

  return {
    end(res, body) {
      if (waiting.push([res, body]) === 1) {
        startedAt = now();
        setImmediate(flush);
      } else if (now() - startedAt > MAX_DELAY_MS) flush();
    },
  };
}
