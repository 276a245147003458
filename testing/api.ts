import { Agent, request } from 'node:http';

/** Where a server is, and the key that it has given to this process. */
export interface Address {
  url: string;
  personalApiKey: string;
}

export interface ApiRequest {
  method?: 'GET' | 'POST';
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
}

/** Idle connections do not hold a worker of tests open. */
const agent = new Agent({ keepAlive: true });

/**
 * Calls the server with node:http. Environments of tests replace `fetch`, and one of a page would send an Origin, which the
 * server refuses; waiting is done by the server, since tests replace timers too. Rejects with the sentence of an error.
 */
export function callApi<T>(
  address: Address,
  path: string,
  { method = 'GET', query = {}, body }: ApiRequest = {},
): Promise<T> {
  const url = new URL(path, address.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise<T>((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${address.personalApiKey}`,
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(payload) }),
    };
    const req = request(url, { method, agent, headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      res.on('error', reject);
      res.on('end', () => {
        if (res.statusCode === 200) return resolve(JSON.parse(text) as T);
        reject(new Error(`${method} ${url.pathname} of Burrow: ${detailOf(text, res.statusCode)}`));
      });
    });
    req.on('error', (error) =>
      reject(new Error(`Burrow at ${address.url} does not answer: ${error.message}`)),
    );
    req.end(payload);
  });
}

function detailOf(text: string, status: number | undefined): string {
  try {
    return (JSON.parse(text) as { detail: string }).detail;
  } catch {
    return `status ${status}`;
  }
}
