import { setTimeout as sleep } from 'node:timers/promises';
import { hostAndPort } from '../../outgoing/call-outside.ts';
import type { CallResult, Outgoing } from '../outgoing/index.ts';
import type { WebhookOutcome } from './alert-row.ts';
import type { WebhookBody } from './alerts.contract.ts';

/** Milliseconds before the second, third and fourth try. */
const PAUSES_MS: readonly number[] = [1_000, 5_000, 25_000];
/** Webhooks on their way; a receiver that does not answer must not hold up the others. */
const AT_ONCE = 4;
/** Webhooks that wait for their turn. */
const MAX_WAITING = 100;

/** How long the closing of Burrow waits for calls that were given up. */
const CLOSE_LIMIT_MS = 3_000;

const CLOSED = 'Burrow was closed before it arrived.';
const FAILED = 'Burrow failed to send it.';
/** What the history says until the outcome is there. */
export const UNANSWERED = 'No answer yet.';
/** What it says of a webhook that was on its way when Burrow ended. */
export const LOST = 'Burrow ended before an answer came.';

export interface AlertWebhooks {
  /** Sends a body, up to four times, and calls back once with what became of it. Waits for its turn, never throws. */
  send(url: string, body: WebhookBody, onEnd: (outcome: WebhookOutcome) => Promise<void>): void;
  /** Gives up what is on its way, and resolves once each has called back, or after three seconds. */
  close(): Promise<void>;
}

export function createAlertWebhooks({
  outgoing,
  onFailure,
  pausesMs = PAUSES_MS,
  closeLimitMs = CLOSE_LIMIT_MS,
}: {
  outgoing: Pick<Outgoing, 'send'>;
  onFailure: (error: unknown) => void;
  pausesMs?: readonly number[];
  closeLimitMs?: number;
}): AlertWebhooks {
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  const waiting: (() => Promise<void>)[] = [];

  async function deliver(url: string, body: WebhookBody): Promise<Omit<WebhookOutcome, 'host'>> {
    let result: CallResult = { status: null, problem: CLOSED, isFinal: false };
    for (let attempts = 1; ; attempts++) {
      if (closing.signal.aborted) return { attempts: attempts - 1, status: result.status, problem: CLOSED };
      result = await outgoing.send('alert_webhooks', url, body, closing.signal);
      const { status, problem, isFinal } = result;
      const pause = pausesMs[attempts - 1];
      if (problem === null || isFinal || pause === undefined) return { attempts, status, problem };
      // It ends early only because Burrow closes.
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  function begin(): void {
    while (running.size < AT_ONCE && waiting.length > 0) {
      const one = waiting.shift()!()
        .catch(onFailure)
        .finally(() => {
          running.delete(one);
          begin();
        });
      running.add(one);
    }
  }

  async function drain(): Promise<void> {
    while (running.size > 0 || waiting.length > 0) await Promise.all(running);
  }

  return {
    send(url, body, onEnd) {
      const host = hostAndPort(url);
      waiting.push(async () => {
        let outcome: Omit<WebhookOutcome, 'host'> = { attempts: 0, status: null, problem: FAILED };
        try {
          outcome = await deliver(url, body);
        } finally {
          await onEnd({ host, ...outcome });
        }
      });
      if (waiting.length > MAX_WAITING) {
        waiting.pop();
        const problem = 'Too many webhooks were waiting.';
        void onEnd({ host, attempts: 0, status: null, problem }).catch(onFailure);
      }
      begin();
    },
    async close() {
      closing.abort();
      const limit = new AbortController();
      await Promise.race([drain(), sleep(closeLimitMs, undefined, { signal: limit.signal })]);
      limit.abort();
    },
  };
}
