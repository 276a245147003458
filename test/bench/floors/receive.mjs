// @ts-check
/** What the three comparison servers share: the ready line, reading a body, and inflating one that is gzip. */
import { gunzipSync } from 'node:zlib';

export const ACCEPTED = '{"status":1}';

/**
 * Listens on a free loopback port, prints the ready line that `burrow serve --json` prints, and ends on SIGTERM.
 * @param {import('node:http').Server} server
 */
export function announce(server) {
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, port, pid: process.pid })}\n`);
  });
  process.once('SIGTERM', () => process.exit(0));
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {(body: Buffer) => void} onBody The whole body, inflated when it begins with gzip's magic bytes.
 */
export function receive(request, onBody) {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => onBody(inflate(Buffer.concat(chunks))));
}

/** @param {Buffer} body */
export function inflate(body) {
  return body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body;
}

/** @param {import('node:http').ServerResponse} response */
export function accept(response) {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': ACCEPTED.length });
  response.end(ACCEPTED);
}
