import type { ServerResponse } from 'node:http';

/** Milliseconds for which an answer waits for others at most; what else a turn of the loop does comes on top. */
const LONGEST_MS = 1;

type Body = string | Buffer | undefined;

/** Ends answers, those of one turn of the loop together. */
export interface AnswerBurst {
  end(res: ServerResponse, body: Body): void;
}

/**
 * Makes the one who ends answers. A write to a client that sleeps wakes it, which costs more than the write: of clients that are
 * answered one after the other each falls asleep again before the next, of many at once hardly one does. Alone, an answer
 * leaves in the same turn. `now` tells milliseconds.
 */
export function createAnswerBurst(now: () => number = () => performance.now()): AnswerBurst {
  let waiting: [res: ServerResponse, body: Body][] = [];
  let began = 0;

  function endAll(): void {
    const all = waiting;
    waiting = [];
    for (const [res, body] of all) res.end(body);
  }

  return {
    end(res, body) {
      if (waiting.push([res, body]) === 1) {
        began = now();
        setImmediate(endAll);
      } else if (now() - began > LONGEST_MS) endAll();
    },
  };
}
