/** Milliseconds after which what a test waits for will never come. No test is about time, so a busy machine may use them. */
export const PATIENCE_MS = 60_000;
