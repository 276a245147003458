import { z } from 'zod';
import { readRunFile } from './run-file.ts';

const LIMIT_MS = 10_000;
const answer = z.object({ console_url: z.url() });

/** No server answered; `message` is a sentence for the person at the command line. */
export class NotRunningError extends Error {}

/**
 * Requests a new console link from the server that runs on the folder; `ownCommand` is how this program is called.
 * Throws NotRunningError.
 */
export async function askForConsoleLink(dataDir: string, ownCommand: string): Promise<string> {
  const run = await readRunFile(dataDir);
  if (run === null)
    throw new NotRunningError(`No server is running for ${dataDir}. Start one with: ${ownCommand} serve`);
  try {
    const response = await fetch(`${run.url}/api/burrow/sign_in_links/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${run.key}` },
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return answer.parse(await response.json()).console_url;
  } catch (error) {
    const text = `The server for ${dataDir} (process ${run.pid}) is not responding at ${run.url}.`;
    throw new NotRunningError(text, { cause: error });
  }
}
