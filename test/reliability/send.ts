import { request, type Agent, type IncomingHttpHeaders } from 'node:http';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Sending {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  /** For connections that are kept; by default each request has one of its own, closed after it. */
  agent?: Agent;
}

/**
 * Sends one request. Rejects when the connection breaks before the answer is whole, or when none comes within 30 s: a
 * server that hangs fails the test instead of stopping it.
 */
export function send(url: string, sending: Sending = {}): Promise<Answer> {
  const { method = 'POST', headers = {}, body = '', agent = false } = sending;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      agent,
      headers: { 'Content-Length': String(Buffer.byteLength(body)), ...headers },
      signal: AbortSignal.timeout(30_000),
    });
    outgoing.once('response', (response) => {
      const { statusCode: status = 0, headers: received } = response;
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('end', () => resolve({ status, headers: received, text }));
      response.once('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
