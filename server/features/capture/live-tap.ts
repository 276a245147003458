import type { FromCapture, LiveEvent, LiveFilter } from './capture-messages.ts';
import { passesLiveFilters } from './live-filter.ts';

/** At most four messages a second with fifty events each, which bounds the cost under load. */
const FLUSH_MS = 250;
const EVENTS_IN_MESSAGE = 50;

interface Subscription {
  projectId: number;
  filters: readonly LiveFilter[];
  events: LiveEvent[];
  skipped: number;
}

/** Sends stored events to subscribers; costs nothing without any. */
export interface LiveTap {
  subscribe(id: number, projectId: number, filters: readonly LiveFilter[]): void;
  unsubscribe(id: number): void;
  readonly isWatched: boolean;
  /** Offers an event that was just committed. */
  offer(event: LiveEvent): void;
  close(): void;
}

/** Makes a tap that sends through `post`. */
export function createLiveTap(post: (message: FromCapture) => void): LiveTap {
  const subscriptions = new Map<number, Subscription>();
  let timer: NodeJS.Timeout | null = null;

  function flush(): void {
    for (const [id, subscription] of subscriptions) {
      if (subscription.events.length === 0) continue;
      post({ kind: 'live', id, events: subscription.events, skipped: subscription.skipped });
      subscription.events = [];
      subscription.skipped = 0;
    }
  }

  return {
    get isWatched() {
      return subscriptions.size > 0;
    },
    subscribe(id, projectId, filters) {
      subscriptions.set(id, { projectId, filters, events: [], skipped: 0 });
      timer ??= setInterval(flush, FLUSH_MS);
    },
    unsubscribe(id) {
      subscriptions.delete(id);
      if (subscriptions.size === 0 && timer !== null) {
        clearInterval(timer);
        timer = null;
      }
    },
    offer(event) {
      for (const subscription of subscriptions.values()) {
        if (subscription.projectId !== event.projectId) continue;
        if (subscription.filters.length > 0 && !passesLiveFilters(event, subscription.filters)) continue;
        subscription.events.push(event);
        // When a message is full its oldest event is dropped.
        if (subscription.events.length > EVENTS_IN_MESSAGE) {
          subscription.events.shift();
          subscription.skipped++;
        }
      }
    },
    close() {
      if (timer !== null) clearInterval(timer);
    },
  };
}
