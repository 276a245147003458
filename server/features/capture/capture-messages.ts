import type { ErrorName } from '../../errors.ts';

/**
 * Messages between the HTTP side of capture (`capture.service.ts`) and its part in the thread of the database
 * (`capture-thread.ts`). Bodies cross as raw bytes, many requests in one message: parsed objects would be copied.
 */

/** Which door a request came through: it decides how the body is read. */
export type DoorKind = 'capture' | 'engage' | 'v1' | 'ai' | 'recording' | 'logs';

/** What the headers of a door say whose body names no key: capture v1 and multipart AI events. */
export interface HeaderClaims {
  /** Of good shape; perhaps of no project. */
  token: string;
  /** Empty when the headers do not say, as libVersion. */
  lib: string;
  libVersion: string;
  /** When the sender sent the request by its own clock, Unix microseconds, or null. */
  sentAt: number | null;
}

/** A request as it crosses to the thread; its body is `bodies[body]` from `offset`, `length` bytes. */
export interface RawCapture {
  id: number;
  body: number;
  offset: number;
  length: number;
  kind: DoorKind;
  claims: HeaderClaims | null;
  method: string;
  path: string;
  search: string;
  contentType: string;
  contentEncoding: string;
  clientIp: string;
  origin: string | null;
  /** Unix ms. */
  receivedAt: number;
}

/** A request that never reached the thread: refused at the door, or a browser's preflight. */
export interface Knock {
  at: number;
  method: string;
  path: string;
  status: number;
  code: string | null;
  detail: string | null;
  origin: string | null;
  outcome: 'refused' | 'preflight';
}

export type ToCapture =
  | { kind: 'requests'; bodies: ArrayBuffer[]; requests: RawCapture[] }
  | { kind: 'knock'; knock: Knock }
  | { kind: 'subscribe'; id: number; projectId: number; filters: readonly LiveFilter[] }
  | { kind: 'unsubscribe'; id: number };

/** How one request ended: taken (200), with a body where the door has one of its own, or refused by the error table. */
export interface CaptureResult {
  id: number;
  refusal: { name: ErrorName; detail: string; retryAfter: string | null } | null;
  /** JSON text; null: the door's fixed answer. */
  body: string | null;
}

export type FromCapture =
  /** `bodies` come back for reuse: every request in them has been answered. */
  | { kind: 'results'; results: CaptureResult[]; bodies: ArrayBuffer[] }
  | { kind: 'live'; id: number; events: LiveEvent[]; skipped: number };

/** A typed filter of the live view; all of them must hold. */
export interface LiveFilter {
  field: 'event' | 'distinct_id' | 'property';
  key?: string | undefined;
  operator: 'exact' | 'is_not' | 'icontains' | 'is_set' | 'is_not_set';
  value?: string | undefined;
}

/** A stored event as the live view shows it; `properties` is JSON text until it leaves the server. */
export interface LiveEvent {
  projectId: number;
  id: string;
  event: string;
  distinctId: string;
  /** Unix microseconds. */
  timestamp: number;
  receivedAt: number;
  properties: string;
  elementsChain: string;
  lib: string;
  libVersion: string;
}
