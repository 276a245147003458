import type { RawBody } from '../../../http/read-body.ts';
import type { BodyPool } from './body-pool.ts';
import type { RawCapture, RequestForm, RequestParcel } from '../capture-messages.ts';

/** Bodies from this size on cross to the thread in a buffer of their own, smaller ones share one. */
const OWN_BUFFER_BYTES = 65_536;
/** Forms that are compared with a request's, the last ones first. */
const FORMS_COMPARED = 4;
/** Of each request: its id, its form, its body's buffer, offset and length, and when it was received. */
const NUMBERS = 6;

/** A request on its way to the thread. */
export interface Outgoing {
  readonly id: number;
  readonly form: RequestForm;
  /** Unix ms. */
  readonly receivedAt: number;
  readonly body: RawBody;
}

/** A request as it comes out of a parcel. */
export interface Incoming {
  readonly request: RawCapture;
  readonly bytes: Buffer;
}

/** Copies bodies out of the sockets' pooled memory: small ones together, large ones each into a buffer of its own. */
export function packRequests(entries: readonly Outgoing[], pool: BodyPool): RequestParcel {
  let small = 0;
  for (const { body } of entries) if (body.bytes < OWN_BUFFER_BYTES) small += body.bytes;
  const shared = new Uint8Array(pool.take(small));
  const bodies: ArrayBuffer[] = [shared.buffer];
  const forms: RequestForm[] = [];
  const numbers = new Float64Array(entries.length * NUMBERS);
  let used = 0;
  let at = 0;
  for (const { id, form, receivedAt, body } of entries) {
    let target = shared;
    let buffer = 0;
    let offset = used;
    if (body.bytes >= OWN_BUFFER_BYTES) {
      target = new Uint8Array(pool.take(body.bytes));
      buffer = bodies.push(target.buffer as ArrayBuffer) - 1;
      offset = 0;
    } else used += body.bytes;
    numbers[at++] = id;
    numbers[at++] = indexOfForm(forms, form);
    numbers[at++] = buffer;
    numbers[at++] = offset;
    numbers[at++] = body.bytes;
    numbers[at++] = receivedAt;
    for (const piece of body.pieces) {
      target.set(piece, offset);
      offset += piece.length;
    }
  }
  return { bodies, forms, numbers };
}

/** The requests of a parcel, in their order; their bytes lie in its buffers. */
export function unpackRequests({ bodies, forms, numbers }: RequestParcel): Incoming[] {
  const requests: Incoming[] = [];
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    const form = forms[numbers[at + 1]!]!;
    const request: RawCapture = {
      id: numbers[at]!,
      kind: form.kind,
      claims: form.claims,
      method: form.method,
      path: form.path,
      search: form.search,
      contentType: form.contentType,
      contentEncoding: form.contentEncoding,
      clientIp: form.clientIp,
      origin: form.origin,
      ...(form.imported !== undefined && { imported: form.imported }),
      ...(form.isOwn === true && { isOwn: true }),
      receivedAt: numbers[at + 5]!,
    };
    const bytes = Buffer.from(bodies[numbers[at + 2]!]!, numbers[at + 3], numbers[at + 4]);
    requests.push({ request, bytes });
  }
  return requests;
}

/** The place of an equal form, which is added when there is none among the last. */
function indexOfForm(forms: RequestForm[], form: RequestForm): number {
  const oldest = Math.max(0, forms.length - FORMS_COMPARED);
  for (let index = forms.length - 1; index >= oldest; index--) {
    if (isSameForm(forms[index]!, form)) return index;
  }
  return forms.push(form) - 1;
}

/** Claims are of one request. */
function isSameForm(a: RequestForm, b: RequestForm): boolean {
  return (
    a.path === b.path &&
    a.kind === b.kind &&
    a.method === b.method &&
    a.search === b.search &&
    a.contentType === b.contentType &&
    a.contentEncoding === b.contentEncoding &&
    a.clientIp === b.clientIp &&
    a.origin === b.origin &&
    a.imported === b.imported &&
    a.isOwn === b.isOwn &&
    a.claims === null &&
    b.claims === null
  );
}
