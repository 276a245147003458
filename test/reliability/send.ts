import { request, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sending {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

/**
 * Sends one request on a connection of its own. Rejects when the connection breaks before the answer is whole, or when
 * none comes within 30 s: a server that hangs fails the test instead of stopping it.
 */
export function send(
  url: string,
  { method = 'POST', headers = {}, body = '' }: Sending = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent: false,
      headers: { 'Content-Length': String(Buffer.byteLength(body)), ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
      );
      response.once('error', reject);
    });
    // A server may refuse before it has read a large body: the answer counts, not the broken pipe after it.
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
