import { copyFile, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Attempts in a row that bring nothing new. */
const ATTEMPTS = 5;
const SILENCE_MS = 30_000;
const LINE_MS = 10_000;

/**
 * A downloader for `@electron/get` that goes on where an earlier attempt, or an earlier run, has ended: what has arrived is
 * kept as `<name>.part` in `folder`. An attempt ends after 30 seconds without a byte; five in a row without progress, and
 * answers that another attempt would not change (404), end in an error. Whether the file is right is for the caller to check.
 * @param {string} folder
 * @param {{ print?: (line: string) => void, isTerminal?: boolean, pauseMs?: number }} [options] Where the progress goes:
 * one line that changes on a terminal, elsewhere one every ten seconds
 */
export function resumingDownloader(
  folder,
  {
    print = (text) => void process.stderr.write(text),
    isTerminal = process.stderr.isTTY === true,
    pauseMs = 1000,
  } = {},
) {
  /**
   * @param {string} url
   * @param {string} target
   */
  async function download(url, target) {
    await mkdir(folder, { recursive: true });
    const part = join(folder, `${basename(target)}.part`);
    const showProgress = createProgress(print, isTerminal);
    for (let failures = 0; ;) {
      const before = await sizeOf(part);
      try {
        await receive(url, part, before, showProgress);
        break;
      } catch (error) {
        if (error instanceof RefusedError) throw error;
        failures = (await sizeOf(part)) > before ? 1 : failures + 1;
        if (failures >= ATTEMPTS) throw error;
        await wait(pauseMs * failures);
      }
    }
    if (isTerminal) print('\n');
    await move(part, target);
  }

  return { download };
}

/** An answer that will be the same next time. */
class RefusedError extends Error {}

/**
 * Appends to `part` what it lacks.
 * @param {string} url
 * @param {string} part
 * @param {number} offset
 * @param {(received: number, total: number | null) => void} showProgress
 */
async function receive(url, part, offset, showProgress) {
  const controller = new AbortController();
  const endOfPatience = () =>
    setTimeout(() => controller.abort(new Error(`no byte for ${SILENCE_MS / 1000} seconds`)), SILENCE_MS);
  let timer = endOfPatience();
  try {
    const answer = await fetch(url, {
      signal: controller.signal,
      // Without compression the number of bytes is the one on the disk.
      headers: { 'accept-encoding': 'identity', ...(offset > 0 ? { range: `bytes=${offset}-` } : {}) },
    });
    if (answer.status === 416) {
      await answer.body?.cancel();
      if (answer.headers.get('content-range') === `bytes */${offset}`) return;
      await rm(part);
      throw new Error('what was kept does not fit the file');
    }
    if (!answer.ok || answer.body === null) {
      const ErrorKind = answer.status < 500 && answer.status !== 429 ? RefusedError : Error;
      throw new ErrorKind(`${answer.status} ${answer.statusText}`.trim());
    }
    // A server without ranges sends the file from its beginning.
    const start = answer.status === 206 ? offset : 0;
    const length = Number(answer.headers.get('content-length') ?? Number.NaN);
    const total = Number.isNaN(length) ? null : start + length;
    const file = await open(part, start === 0 ? 'w' : 'a');
    try {
      let received = start;
      for await (const chunk of answer.body) {
        clearTimeout(timer);
        timer = endOfPatience();
        await file.writeFile(chunk);
        received += chunk.length;
        showProgress(received, total);
      }
      if (total !== null && received !== total) throw new Error(`ended at ${received} of ${total} bytes`);
    } finally {
      await file.close();
    }
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Prints how far a download is when the percentage has changed; without a known length, the megabytes.
 * @param {(text: string) => void} print
 * @param {boolean} isTerminal
 */
function createProgress(print, isTerminal) {
  let last = '';
  let lineAt = Date.now();
  /** @type {(received: number, total: number | null) => void} */
  return (received, total) => {
    const text =
      total === null
        ? `${inMegabytes(received)}`
        : `${Math.floor((100 * received) / total)} % of ${inMegabytes(total)}`;
    if (text === last) return;
    last = text;
    if (isTerminal) print(`\r  ${text} `);
    else if (Date.now() - lineAt >= LINE_MS) {
      lineAt = Date.now();
      print(`  ${text}\n`);
    }
  };
}

/** @param {number} bytes */
const inMegabytes = (bytes) => `${Math.round(bytes / 1e6)} MB`;

/** @param {string} path */
async function sizeOf(path) {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

/**
 * The cache and the folder of temporary files can be on different disks.
 * @param {string} from
 * @param {string} to
 */
async function move(from, to) {
  try {
    await rename(from, to);
  } catch {
    await copyFile(from, to);
    await rm(from);
  }
}
