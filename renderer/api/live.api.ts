import type { z } from 'zod';
import type { LiveMessage as WireMessage, liveFilter } from '../../server/features/live/live.contract.ts';
import { queryText } from './http.ts';

/** A condition on live events; the server applies it, all must hold. `key` names the property, for that field. */
export type LiveFilter = z.output<typeof liveFilter>;

/** A stored event; `received_at` is `null` for one read from the listing, which does not tell it. */
export type LiveEvent = Omit<WireMessage['events'][number], 'received_at'> & { received_at: string | null };

/** Events as they were stored; `skipped` counts those left out because there were more than can be read. */
export interface LiveMessage {
  events: LiveEvent[];
  skipped: number;
}

export type LiveConnection = 'connecting' | 'open' | 'lost';

export interface LiveStreamOptions {
  projectId: number;
  filters: readonly LiveFilter[];
  onMessage(message: LiveMessage): void;
  onConnection(state: LiveConnection): void;
}

/** Silence after which a stream counts as dead, in milliseconds: the server pings every 15 seconds. */
const SILENCE_LIMIT = 40_000;
/** How long a stream outlives its page's being seen, in milliseconds: browsers allow six connections to a server, for all tabs together. */
const HIDDEN_LIMIT = 60_000;
const RETRY_DELAYS = [500, 1000, 2000, 4000, 8000];

/** Follows a project's events and comes back by itself after a break; returns the function that ends it. */
export function openLiveStream({
  projectId,
  filters,
  onMessage,
  onConnection,
}: LiveStreamOptions): () => void {
  const filterText = filters.length > 0 ? JSON.stringify(filters) : undefined;
  const url = `/api/projects/${projectId}/burrow/live/${queryText({ filters: filterText })}`;
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hiddenTimer: ReturnType<typeof setTimeout> | undefined;
  let attempt = 0;

  function connect(): void {
    source = new EventSource(url);
    source.addEventListener('open', () => {
      attempt = 0;
      onConnection('open');
      expectWord();
    });
    source.addEventListener('ping', expectWord);
    source.addEventListener('events', (message) => {
      expectWord();
      onMessage(JSON.parse(message.data as string) as LiveMessage);
    });
    source.addEventListener('error', retry);
  }

  function expectWord(): void {
    clearTimeout(timer);
    timer = setTimeout(retry, SILENCE_LIMIT);
  }

  // EventSource gives up for good on an error status, so every retry is a new one.
  function retry(): void {
    source?.close();
    onConnection('lost');
    clearTimeout(timer);
    timer = setTimeout(connect, RETRY_DELAYS[Math.min(attempt, RETRY_DELAYS.length - 1)]);
    attempt += 1;
  }

  function disconnect(): void {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  }

  function onVisibility(): void {
    clearTimeout(hiddenTimer);
    if (document.visibilityState === 'hidden') hiddenTimer = setTimeout(disconnect, HIDDEN_LIMIT);
    else if (source === undefined) connect();
  }

  onConnection('connecting');
  connect();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    clearTimeout(hiddenTimer);
    disconnect();
  };
}
