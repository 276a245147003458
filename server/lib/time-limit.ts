/**
 * A signal that aborts after so many milliseconds; it does not hold the process open. `AbortSignal.timeout` may never do so:
 * where only `AbortSignal.any` refers to it, Node 20 collects it as garbage.
 */
export function timeLimit(ms: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(
    () => limit.abort(new DOMException(`This took longer than ${ms} ms.`, 'TimeoutError')),
    ms,
  ).unref();
  return limit.signal;
}
