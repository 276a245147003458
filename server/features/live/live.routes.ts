import type { ServerResponse } from 'node:http';
import { defineRoute, Reply, type ManagementRoute } from '../../http/define-route.ts';
import { isoMicros } from '../../lib/iso-micros.ts';
import type { Capture, LiveEvent } from '../capture/index.ts';
import { liveQuery, type LiveMessage } from './live.contract.ts';

/** Proxies and browsers give up on a silent stream; a comment line now and then keeps it. */
const PING_MS = 15_000;
/** A reader that lets so much pile up gets no more until it has caught up. */
const BEHIND_BYTES = 1_048_576;

/** The stream of stored events, as server-sent events. It ends when its reader leaves, or when `closing` fires. */
export function liveRoutes(capture: Capture, closing: AbortSignal): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: 'P/burrow/live/',
      auth: 'key',
      scope: ['query:read'],
      summary: 'Streams events as they are stored (server-sent events).',
      query: liveQuery,
      response: null,
      streams: 'text/event-stream',
      handle: ({ project, query, signal }) =>
        Reply.stream(
          { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
          (res) => stream(res, AbortSignal.any([signal, closing]), capture, project.id, query.filters),
        ),
    }),
  ];
}

function stream(
  res: ServerResponse,
  signal: AbortSignal,
  capture: Capture,
  projectId: number,
  filters: Parameters<Capture['watch']>[0]['filters'],
): Promise<void> {
  res.write('retry: 1000\n\n');
  const ping = setInterval(() => res.write('event: ping\ndata: {}\n\n'), PING_MS);
  let missed = 0;
  const unwatch = capture.watch({
    projectId,
    filters,
    onEvents(events, skipped) {
      if (res.writableLength > BEHIND_BYTES) {
        missed += events.length + skipped;
        return;
      }
      const message: LiveMessage = { events: events.map(wireEvent), skipped: skipped + missed };
      missed = 0;
      res.write(`event: events\ndata: ${JSON.stringify(message)}\n\n`);
    },
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
    properties: JSON.parse(event.properties) as Record<string, unknown>,
    elements_chain: event.elementsChain,
    lib: event.lib,
    lib_version: event.libVersion,
  };
}
