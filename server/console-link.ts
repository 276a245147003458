import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { z } from 'zod';
import { isLoopback } from './http/host-check.ts';
import { timeLimit } from './lib/time-limit.ts';
import { readRunFile, type RunFile } from './run-file.ts';

const LIMIT_MS = 10_000;
const answer = z.object({ console_url: z.url() });

/** No server answered; `message` is a sentence for the person at the command line. */
export class NotRunningError extends Error {}

/**
 * The server that runs on the folder; `startCommand` is how one is started. Throws NotRunningError, also for an address
 * of another machine: the key in the file never leaves this one.
 */
async function findServer(dataDir: string, startCommand: string): Promise<RunFile> {
  const run = await readRunFile(dataDir);
  if (run === null)
    throw new NotRunningError(`No server is running for ${dataDir}. Start one with: ${startCommand}`);
  const host = new URL(run.url).hostname.replaceAll(/[[\]]/g, '');
  if (isLoopback(host) || (await isOwnAddress(host))) return run;
  throw new NotRunningError(`${run.url}, the server for ${dataDir}, is not on this machine.`);
}

async function isOwnAddress(host: string): Promise<boolean> {
  const found = await lookup(host).catch(() => null);
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return found !== null && own.some(({ address }) => address === found.address);
}

/** Requests a new console link from the server that runs on the folder. Throws NotRunningError. */
export async function askForConsoleLink(dataDir: string, startCommand: string): Promise<string> {
  const run = await findServer(dataDir, startCommand);
  try {
    const response = await fetch(`${run.url}/api/burrow/sign_in_links/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${run.key}` },
      signal: timeLimit(LIMIT_MS),
    });
    return answer.parse(await response.json()).console_url;
  } catch (error) {
    const text = `The server for ${dataDir} (process ${run.pid}) is not responding at ${run.url}.`;
    throw new NotRunningError(text, { cause: error });
  }
}
