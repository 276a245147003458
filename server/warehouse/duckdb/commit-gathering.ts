/**
 * A commit costs as much as storing some hundred rows, most of it for DuckDB to plan what the appender flushes. So a small
 * group waits a moment for the clients that have just been answered, and longer while they come in numbers.
 */
const PAUSE_MS = 2;
const MOST_MS = 6;
/** Requests within a pause that are worth another one. */
const CROWD = 8;
/** From so many requests or rows on, parsing the next ones beside the commit is worth more than a larger group. */
const ENOUGH_REQUESTS = 64;
const ENOUGH_ROWS = 512;

/** Decides when what waits is committed. */
export interface CommitGathering {
  /** Resolves when enough is there, or when nothing more is worth waiting for. */
  wait(): Promise<void>;
  /** Tells how much waits. */
  waiting(requests: number, rows: number): void;
  /** Tells after a commit how many requests it held or wait behind it: so many clients are at work. */
  expect(requests: number): void;
}

/** Begins with nothing that waits, and nobody expected. */
export function createCommitGathering(): CommitGathering {
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
