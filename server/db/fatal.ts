/** Errors in which DuckDB quotes values, patterns and names of a statement, which may be any text. */
const QUOTES =
  /^(?:Error: )?(?:Invalid Error: )?(?:Binder|Catalog|Constraint|Conversion|Invalid Input|Mismatch Type|Not implemented|Out of Range|Parser|Syntax) Error/i;

/** Whether the store itself reports this text, and not just a statement that contains it. */
export function isStoreError(error: unknown, pattern: RegExp): boolean {
  const text = String(error);
  return pattern.test(text) && !QUOTES.test(text);
}

/** DuckDB refuses every statement after such an error, reads too; only a newly opened instance goes on. */
export function isFatal(error: unknown): boolean {
  return isStoreError(error, /FATAL|has been invalidated/);
}

/** Ends this thread with the error after pending responses were sent; its owner reopens the file. */
export function endThread(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
