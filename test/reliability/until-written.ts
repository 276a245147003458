import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const NO_MORE_WRITES_MS = 3_000;

/** Waits until a file was written so many times more, or no longer is; one that is not there is waited for too. */
export async function untilWritten(path: string, writes: number): Promise<void> {
  const deadline = performance.now() + NO_MORE_WRITES_MS;
  const read = async (): Promise<number> => (await stat(path).catch(() => null))?.mtimeMs ?? 0;
  let last = await read();
  for (let seen = 0; seen < writes && performance.now() < deadline;) {
    await sleep(1);
    const mtimeMs = await read();
    if (mtimeMs !== last) seen += 1;
    last = mtimeMs;
  }
}
