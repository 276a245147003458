import { request, type IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';

/** Of the text that an error is read from. */
const MAX_ERROR_CHARACTERS = 65_536;

/** An answer to a body that broke off has so long to arrive. */
const LAST_ANSWER_MS = 1_000;

export interface LocalRequest {
  /** Address and port of the server, without brackets. */
  host: string;
  port: number;
  /** With its query. */
  path: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | Readable | undefined;
  signal: AbortSignal;
  /** An answer that is silent for so long is taken for broken. */
  silenceMs?: number | undefined;
}

/** Sends a request to a server of this machine. Its answer can take as long as a backup does, which `fetch` gives up on. */
export function sendLocally({ silenceMs, body, ...options }: LocalRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, agent: false }, resolve);
    if (silenceMs !== undefined) sent.setTimeout(silenceMs, () => sent.destroy());
    if (body === undefined || typeof body === 'string') {
      sent.once('error', reject);
      sent.end(body);
      return;
    }
    // A request that was refused before its end has an answer, which counts and not the break.
    const breakOff = (error: unknown): unknown => setTimeout(reject, LAST_ANSWER_MS, error);
    sent.on('error', breakOff);
    sent.once('close', () => breakOff(new Error('The connection was closed without an answer.')));
    pipeline(body, sent, (error) => error && breakOff(error));
  });
}

/** The whole body; null once it is longer than `maxCharacters`. */
export async function textOf(answer: IncomingMessage, maxCharacters = Infinity): Promise<string | null> {
  const pieces: string[] = [];
  let length = 0;
  for await (const piece of answer.setEncoding('utf8')) {
    pieces.push(piece as string);
    length += (piece as string).length;
    if (length > maxCharacters) return null;
  }
  return pieces.join('');
}

/** The sentence of an error, which the server always gives; another one where something else answered. */
export async function refusalOf(answer: IncomingMessage): Promise<string> {
  try {
    const { detail } = JSON.parse((await textOf(answer, MAX_ERROR_CHARACTERS)) ?? '') as { detail?: unknown };
    if (typeof detail === 'string') return detail;
  } catch {
    // It is no error of this server.
  }
  return `The server answered with status ${answer.statusCode}.`;
}
