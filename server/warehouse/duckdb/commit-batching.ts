/**
 * A commit costs as much as storing a few hundred rows, mostly because DuckDB plans what the appender flushes. A
 * small batch therefore waits briefly for clients that have just received a response, and longer while many of them
 * are active.
 */
const PAUSE_MS = 2;
const MOST_MS = 6;
/** If at least this many requests arrive within a pause, wait for another one. */
const CROWD = 8;
/**
 * From this many requests or rows on, committing now and parsing the next requests in parallel is faster than a
 * larger batch.
 */
const ENOUGH_REQUESTS = 64;
const ENOUGH_ROWS = 512;

/** Decides when waiting requests are committed. */
export interface CommitBatching {
  /** Resolves when the batch is large enough or no further request is expected soon. */
  wait(): Promise<void>;
  /** Reports the number of waiting requests and rows. */
  waiting(requests: number, rows: number): void;
  /** Called after a commit with the number of requests in it and behind it, an estimate of active clients. */
  expect(requests: number): void;
}

export function createCommitBatching(): CommitBatching {
  let requests = 0;
  let rows = 0;
  let expected = 0;
  let resume: (() => void) | null = null;

  function isEnough(): boolean {
    return requests >= Math.min(expected, ENOUGH_REQUESTS) || rows >= ENOUGH_ROWS;
  }

  async function pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    resume = null;
  }

  return {
    async wait() {
      const ends = performance.now() + MOST_MS;
      let came = CROWD;
      while (!isEnough() && came >= CROWD && performance.now() < ends) {
        const before = requests;
        await pause();
        came = requests - before;
      }
    },
    waiting(nowRequests, nowRows) {
      requests = nowRequests;
      rows = nowRows;
      if (resume !== null && isEnough()) resume();
    },
    expect(clients) {
      expected = clients;
    },
  };
}
