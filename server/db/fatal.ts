/** DuckDB refuses every statement after such an error, reads too; only a newly opened instance goes on. */
export function isFatal(error: unknown): boolean {
  return /FATAL|has been invalidated/.test(String(error));
}

/** Ends this thread with the error, after what is under way has been answered: whoever started it opens the file again. */
export function endThread(error: unknown): void {
  setImmediate(() => {
    throw error;
  });
}
