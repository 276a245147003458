import type { ErrorName } from '../../errors.ts';

/**
 * Messages between the HTTP side of capture (`capture.service.ts`) and the store thread (`capture-thread.ts`). Bodies
 * cross as raw bytes, many requests in one message: parsed objects would be copied.
 */

/** The endpoint family of a request; it decides how the body is read. */
export type DoorKind = 'capture' | 'engage' | 'v1' | 'ai' | 'recording' | 'logs';

/** Header values of endpoints whose body has no key: capture v1 and multipart AI events. */
export interface HeaderClaims {
  /** Well-formed; may belong to no project. */
  token: string;
  /** Empty when absent, as libVersion. */
  lib: string;
  libVersion: string;
  /** Send time by the client's clock, Unix microseconds, or null. */
  sentAt: number | null;
}

/** Request metadata. SDKs send the same again and again, so requests of a message share it. */
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
  /** This server has written it: such batches keep their order, whatever their size is. */
  readonly isOwn?: boolean;
  /** The events are of a file of the past, and this server sends them; left out: another client does. */
  readonly imported?: Imported;
}

/**
 * `as_stored`: they were stored by this product, and nothing is derived for them that they do not have. `located`: the
 * place of an address in them is looked up.
 */
export type Imported = 'as_stored' | 'located';

/** What became of a batch of imported events. */
export interface ImportedBatch {
  /** Events of which there is a UUID, and that are not stored, with the reason. */
  readonly notStored: readonly (readonly [uuid: string, reason: string])[];
}

/** A request in the store thread. */
export interface RawCapture extends RequestForm {
  readonly id: number;
  /** Unix ms. */
  readonly receivedAt: number;
}

/**
 * Requests in a message to the store thread (`request-parcel.ts`): individual texts and objects would be copied one
 * by one.
 */
export interface RequestParcel {
  readonly bodies: ArrayBuffer[];
  readonly forms: readonly RequestForm[];
  readonly numbers: Float64Array;
}

/** A request that never reached the store thread: rejected early, or a browser's preflight. */
export interface RejectedRequest {
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
  | { kind: 'rejected'; request: RejectedRequest }
  | { kind: 'subscribe'; id: number; projectId: number; filters: readonly LiveFilter[] }
  | { kind: 'unsubscribe'; id: number };

/** The result of one request: accepted (200), optionally with a body, or an API error. */
export interface CaptureResult {
  id: number;
  refusal: { name: ErrorName; detail: string; retryAfter: string | null } | null;
  /** JSON text; null: the fixed response of the endpoint. */
  body: string | null;
}

export type FromCapture =
  /**
   * `taken`: IDs of accepted requests with the fixed response, as nearly all have. `bodies` are returned for reuse:
   * every request in them has been handled.
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
