import { parseExactJson } from '../../http/exact-json.contract.ts';
import type { ServerResponse } from 'node:http';
import { fail } from '../../errors.ts';
import { findCredential, type Authenticate, type Credential } from '../../http/auth.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { isoMicros } from '../../lib/iso-date.ts';
import type { Capture, LiveEvent, LiveSubscriber } from '../capture/index.ts';
import { type LiveMessage, liveApi } from './live.contract.ts';

const route = routesOf(liveApi);

/** Proxies and browsers give up on a silent stream; a comment line now and then keeps it. */
const PING_MS = 15_000;
/** A reader that lets so much pile up gets no more until it has caught up. */
const BEHIND_BYTES = 1_048_576;

export interface LiveParts {
  capture: Capture;
  authenticate: Authenticate;
  /** Whether the actor may read events of the project. */
  mayRead: (actor: Actor, projectId: number) => boolean;
}

/**
 * The stream of stored events, as server-sent events. It ends when its reader leaves, when `closing` fires, and before the
 * next message to a reader whose key, session or access to the project has ended.
 */
export function liveRoutes(parts: LiveParts, closing: AbortSignal): ManagementRoute[] {
  const { capture, authenticate } = parts;
  const mayRead = (credential: Credential | null, projectId: number): boolean => {
    const reader = credential === null ? null : authenticate(credential);
    return reader !== null && parts.mayRead(reader.actor, projectId);
  };

  return [
    route('GET P/burrow/live/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Streams events as they are stored (server-sent events).',
      streams: 'text/event-stream',
      handle({ project, query, signal, req, url }) {
        const credential = findCredential(req, url.searchParams, undefined);
        if (!mayRead(credential, project.id))
          throw fail('access_level', {
            detail: 'The stream contains persons, and you do not have access to persons.',
          });
        const ending = new AbortController();
        const watch = (onEvents: LiveSubscriber['onEvents']) =>
          capture.watch({ projectId: project.id, filters: query.filters, onEvents });
        const isAllowed = () => {
          if (!mayRead(credential, project.id)) ending.abort();
          return !ending.signal.aborted;
        };
        return Reply.stream(
          { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
          (res) => stream(res, AbortSignal.any([signal, closing, ending.signal]), watch, isAllowed),
        );
      },
    }),
  ];
}

function stream(
  res: ServerResponse,
  signal: AbortSignal,
  watch: (onEvents: LiveSubscriber['onEvents']) => () => void,
  isAllowed: () => boolean,
): Promise<void> {
  res.write('retry: 1000\n\n');
  const ping = setInterval(() => {
    if (isAllowed()) res.write('event: ping\ndata: {}\n\n');
  }, PING_MS);
  let missed = 0;
  const unwatch = watch((events, skipped) => {
    if (!isAllowed()) return;
    if (res.writableLength > BEHIND_BYTES) {
      missed += events.length + skipped;
      return;
    }
    const message: LiveMessage = { events: events.map(wireEvent), skipped: skipped + missed };
    missed = 0;
    res.write(`event: events\ndata: ${JSON.stringify(message)}\n\n`);
  });
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        clearInterval(ping);
        unwatch();
        res.end();
        resolve();
      },
      { once: true },
    );
  });
}

function wireEvent(event: LiveEvent): LiveMessage['events'][number] {
  return {
    id: event.id,
    event: event.event,
    distinct_id: event.distinctId,
    timestamp: isoMicros(BigInt(event.timestamp)),
    received_at: isoMicros(BigInt(event.receivedAt)),
    properties: parseExactJson(event.properties) as Record<string, unknown>,
    elements_chain: event.elementsChain,
    lib: event.lib,
    lib_version: event.libVersion,
  };
}
