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

/** What a request says beside its body. SDKs say the same again and again, so the requests of a message share it. */
export interface RequestForm {
  readonly kind: DoorKind;
  readonly claims: HeaderClaims | null;
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly clientIp: string;
  readonly origin: string | null;
}

/** A request as the thread takes it in. */
export interface RawCapture extends RequestForm {
  readonly id: number;
  /** Unix ms. */
  readonly receivedAt: number;
}

/** Requests as they cross to the thread (`request-parcel.ts`): texts and objects of each would be copied one by one. */
export interface RequestParcel {
  readonly bodies: ArrayBuffer[];
  readonly forms: readonly RequestForm[];
  readonly numbers: Float64Array;
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
  | { kind: 'requests'; parcel: RequestParcel }
  | { kind: 'knock'; knock: Knock }
  | { kind: 'subscribe'; id: number; projectId: number; filters: readonly LiveFilter[] }
  | { kind: 'unsubscribe'; id: number };

/** How one request ended: taken (200), with a body of the door's own, or refused by the error table. */
export interface CaptureResult {
  id: number;
  refusal: { name: ErrorName; detail: string; retryAfter: string | null } | null;
  /** JSON text; null: the door's fixed answer. */
  body: string | null;
}

export type FromCapture =
  /**
   * `taken`: ids of requests that were taken and get their door's fixed answer, as nearly all do. `bodies` come back for
   * reuse: every request in them has been answered.
   */
  | { kind: 'results'; taken: readonly number[]; results: readonly CaptureResult[]; bodies: ArrayBuffer[] }
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
