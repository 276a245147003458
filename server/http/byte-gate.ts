/**
 * A limit on bytes held in memory over all requests: what does not fit is refused, so that memory never grows without
 * end when a client sends faster than the disk takes.
 */
export interface ByteGate {
  /** Reserves `bytes` and returns true, or false when they do not fit. First aborts uploads that make no progress. */
  tryTake(bytes: number): boolean;
  release(bytes: number): void;
  /** Registers an upload that may be aborted to make room; returns a function that unregisters it. */
  addUpload(upload: Upload): () => void;
  readonly held: number;
  readonly limit: number;
}

/** A body that is being received. */
export interface Upload {
  /** Bytes so far. */
  received(): number;
  /** Refuses the request and releases its bytes. */
  abort(): void;
}

/** An upload that brought less than this within the time below makes no progress: a phone on a slow network is faster. */
const PROGRESS_BYTES = 16_384;
const PROGRESS_MS = 2_000;

interface Progress {
  bytes: number;
  /** Milliseconds of the monotonic clock. */
  at: number;
}

/** Creates a gate of `limit` bytes. A single request of any size is accepted when the gate is empty. */
export function createByteGate(limit: number, now: () => number = () => performance.now()): ByteGate {
  const uploads = new Map<Upload, Progress>();
  let held = 0;

  function fits(bytes: number): boolean {
    return held === 0 || held + bytes <= limit;
  }

  function giveUpStalled(bytes: number): void {
    for (const [upload, last] of uploads) {
      if (fits(bytes)) return;
      const received = upload.received();
      if (received - last.bytes >= PROGRESS_BYTES) uploads.set(upload, { bytes: received, at: now() });
      else if (now() - last.at >= PROGRESS_MS) upload.abort();
    }
  }

  return {
    get held() {
      return held;
    },
    limit,
    tryTake(bytes) {
      if (!fits(bytes)) giveUpStalled(bytes);
      if (!fits(bytes)) return false;
      held += bytes;
      return true;
    },
    release(bytes) {
      held -= bytes;
    },
    addUpload(upload) {
      uploads.set(upload, { bytes: upload.received(), at: now() });
      return () => void uploads.delete(upload);
    },
  };
}
