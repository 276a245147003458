import type { Notices } from '../../lib/notices.ts';
import type { ServiceChannel } from '../../db/client.ts';
import type { Feature } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { captureRoutes } from './capture.routes.ts';
import { createCapture, type Capture } from './capture.service.ts';
import { createDoor, type Door } from './door.ts';

export type { Imported, ImportedBatch, LiveEvent, LiveFilter } from './capture-messages.ts';
export { parseTime } from './event-time.ts';
export type { Capture, CaptureReport, LiveSubscriber } from './capture.service.ts';
export type { Door } from './door.ts';
export { storedName, storedText } from './stored-text.ts';

/** The ingestion door: its routes, and the capture that live and ingestion read from. */
export function captureFeature(deps: {
  channel: ServiceChannel;
  clock: Clock;
  maxBodyBytes: number;
  config: { readonly fast: boolean };
  notices: Pick<Notices, 'refusal'>;
}): Feature & { capture: Capture; door: Door } {
  const capture = createCapture(
    deps.channel,
    deps.clock,
    () => deps.notices.refusal()?.id === 'store_damaged',
    { batches: deps.config.fast },
  );
  const door = createDoor(capture, deps.maxBodyBytes);
  return { name: 'capture', capture, door, publicRoutes: captureRoutes(door) };
}
