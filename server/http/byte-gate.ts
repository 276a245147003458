/**
 * A bound on bytes held at once over all requests: what does not fit is refused, so that memory never grows without
 * end when a client sends faster than the disk takes.
 */
export interface ByteGate {
  /** Takes `bytes` and returns true, or returns false when they do not fit. */
  tryTake(bytes: number): boolean;
  release(bytes: number): void;
  readonly held: number;
  readonly limit: number;
}

/** Makes a gate for `limit` bytes. A single request is let in when the gate is empty, however large it is. */
export function createByteGate(limit: number): ByteGate {
  let held = 0;
  return {
    get held() {
      return held;
    },
    limit,
    tryTake(bytes) {
      if (held > 0 && held + bytes > limit) return false;
      held += bytes;
      return true;
    },
    release(bytes) {
      held -= bytes;
    },
  };
}
