import type { Envelope } from './envelope.ts';
import type { NotKeptKind } from './ingestion-stats.ts';
import type { DropReason, normalizeEvent } from './normalize.ts';

/** A door's answer that says more than that the request was taken. */
export interface Reply {
  /** Called for each event that would be stored, and is not; `inspected`: its project only shows events. */
  notStored(uuid: string, reason: DropReason | 'inspected'): void;
  /** JSON text, read when all events are done. */
  text(): string;
}

/** A request of any door, its body decoded, before its events are judged. */
export interface OpenedRequest {
  envelope: Envelope;
  /** Judges an item and brings it into its stored form. */
  normalize: typeof normalizeEvent;
  /** null: the door's fixed answer. */
  reply: Reply | null;
  /** It holds no events but what is counted and not kept. */
  notKept: { kind: NotKeptKind; count: number } | null;
}
