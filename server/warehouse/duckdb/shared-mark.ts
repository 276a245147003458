/** A number that both threads see: the one of the store moves it, the server's looks whether it has moved. */
export type SharedMark = BigInt64Array<SharedArrayBuffer>;

export function createSharedMark(): SharedMark {
  return new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));
}

/** Moves it on, seen at once by every thread. */
export function moveMark(mark: SharedMark): void {
  Atomics.add(mark, 0, 1n);
}

/** Where it stands. */
export function readMark(mark: SharedMark): bigint {
  return Atomics.load(mark, 0);
}
