/**
 * Reusable buffers that carry bodies to the store thread and back. New buffers for each message would be garbage of
 * two threads, which is collected late and with full heap scans.
 */
export interface BodyPool {
  /** A buffer of at least so many bytes; its content is whatever was in it before. */
  take(bytes: number): ArrayBuffer;
  giveBack(buffers: readonly ArrayBuffer[]): void;
}

/** The smallest buffer; larger ones are powers of two of it. */
const SMALLEST_BYTES = 65_536;
/** Maximum number of pooled buffers, and their lifetime without use. */
const KEPT_BYTES = 33_554_432;
const KEPT_MS = 2_000;

/** Makes an empty pool. */
export function createBodyPool(): BodyPool {
  const free = new Map<number, ArrayBuffer[]>();
  let kept = 0;
  let emptying: NodeJS.Timeout | null = null;

  function emptyLater(): void {
    if (emptying !== null) {
      emptying.refresh();
      return;
    }
    emptying = setTimeout(() => {
      free.clear();
      kept = 0;
      emptying = null;
    }, KEPT_MS);
    emptying.unref();
  }

  return {
    take(bytes) {
      const size = SMALLEST_BYTES * 2 ** Math.max(0, Math.ceil(Math.log2(bytes / SMALLEST_BYTES)));
      const buffer = free.get(size)?.pop();
      if (buffer === undefined) return new ArrayBuffer(size);
      kept -= size;
      return buffer;
    },
    giveBack(buffers) {
      for (const buffer of buffers) {
        if (kept + buffer.byteLength > KEPT_BYTES) continue;
        kept += buffer.byteLength;
        const same = free.get(buffer.byteLength);
        if (same === undefined) free.set(buffer.byteLength, [buffer]);
        else same.push(buffer);
      }
      emptyLater();
    },
  };
}
