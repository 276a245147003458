import type { IncomingMessage } from 'node:http';
import { fail, type ApiError } from '../errors.ts';
import type { ByteGate } from './byte-gate.ts';
import type { PublicRequest } from './public-route.ts';

export interface BodyLimits {
  /** A body of this many bytes or more is refused with 413 (ingestion contract 1.5). */
  maxBytes: number;
  /** Where the bytes are counted while they are held; without room the request is refused with 503. */
  gate?: ByteGate;
}

/** The raw bytes of a body, in the pieces in which they came. */
export interface RawBody {
  pieces: readonly Buffer[];
  bytes: number;
}

/** Seconds after which a client that was refused for lack of room may try again. */
const RETRY_AFTER_SECONDS = '1';

/**
 * Reads a body of any content type as raw bytes. A refused body is drained before the response, up to twice the
 * limit; otherwise the connection of a client that is still sending would be reset. The caller releases the bytes
 * reserved in the gate.
 */
export function readRawBody(
  req: IncomingMessage,
  limits: BodyLimits,
  done: (error: ApiError | null, body: RawBody) => void,
): void {
  const announced = Number(req.headers['content-length'] ?? 0);
  const pieces: Buffer[] = [];
  let bytes = 0;
  /** Bytes of this body reserved in the gate. */
  let taken = 0;
  let over = false;
  const endUpload = limits.gate?.addUpload({
    received: () => bytes,
    abort: () => finish(unavailable()),
  });

  function finish(error: ApiError | null): void {
    if (over) return;
    over = true;
    endUpload?.();
    if (error === null) return done(null, { pieces, bytes });
    limits.gate?.release(taken);
    pieces.length = 0;
    drain(req, limits.maxBytes * 2, () => done(error, { pieces, bytes }));
  }

  if (announced >= limits.maxBytes) return finish(fail('payload_too_large'));

  req.on('data', (piece: Buffer) => {
    if (over) return;
    bytes += piece.length;
    if (bytes >= limits.maxBytes) return finish(fail('payload_too_large'));
    // Only what has come counts: a client that announces much and sends nothing takes no room.
    if (limits.gate?.tryTake(piece.length) === false) return finish(unavailable());
    taken += piece.length;
    pieces.push(piece);
  });
  req.on('end', () => finish(null));
  const broken = (): void => {
    // Every request closes after its end; making an error costs a stack trace.
    if (!over) finish(fail('request_timeout'));
  };
  req.on('error', broken);
  req.on('close', broken);
}

/** As `readRawBody`, in one piece. Throws ApiError payload_too_large or store_unavailable. */
export function readBody(request: PublicRequest, limits: BodyLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readRawBody(request.req, limits, (error, body) => {
      if (error !== null) reject(error);
      else resolve(body.pieces.length === 1 ? body.pieces[0]! : Buffer.concat(body.pieces, body.bytes));
    });
  });
}

function unavailable(): ApiError {
  return fail('store_unavailable', { headers: { 'Retry-After': RETRY_AFTER_SECONDS } });
}

/** Drains a refused body, then calls `done`; closes the connection of a client that sends too much. */
function drain(req: IncomingMessage, mostBytes: number, done: () => void): void {
  if (req.closed || req.readableEnded) return done();
  let left = mostBytes;
  let isDone = false;
  const end = (): void => {
    if (isDone) return;
    isDone = true;
    done();
  };
  req.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left >= 0 || isDone) return;
    end();
    // The answer is written before the next turn.
    setImmediate(() => req.socket.destroySoon());
  });
  req.once('end', end);
  req.once('close', end);
  req.resume();
}
