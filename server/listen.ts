import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { isSlowUpload } from './http/slow-upload.ts';
import { holderOf } from './port-holder.ts';

/** Open requests get this long to end while the server drains; their connections are cut after it. */
const DRAIN_LIMIT_MS = 10_000;
const IDLE_CHECK_MS = 50;
/** Longer than proxies and clients keep an idle connection, so that they are the ones who close it. */
const KEEP_ALIVE_MS = 65_000;
/** A request that has not arrived whole by then is cut off: while it stalls it holds room that others need. */
const REQUEST_LIMIT_MS = 120_000;
/** Milliseconds between two looks for such requests. */
const REQUEST_CHECK_MS = 30_000;
/** SDKs may send whole events in the query of a GET (ingestion contract 3.1). */
const MAX_HEADER_BYTES = 65_536;

/** The port cannot be had; `message` is what the person who started the server has to read. */
export class ListenError extends Error {
  /** The port that cannot be had, where another one may be; null: the address is wrong. */
  readonly port: number | null;
  /** What to do on the command line; empty when the sentence says it all. */
  readonly advice: string;

  constructor(error: NodeJS.ErrnoException, host: string, port: number) {
    const { sentence, advice } = explanationOf(error, host, port);
    super(sentence);
    this.port = error.code === 'EADDRINUSE' || error.code === 'EACCES' ? port : null;
    this.advice = advice;
  }
}

export interface Listener {
  readonly port: number;
  /** Without trailing slash, as this machine reaches it. */
  readonly url: string;
  /** Stops accepting, lets open requests end, and resolves when every connection is closed. */
  drain(): Promise<void>;
}

/** Listens on `host` and `port` (0: any free one). Throws ListenError. */
export async function listen(
  handle: RequestListener,
  host: string,
  port: number,
  { requestMs = REQUEST_LIMIT_MS, checkMs = REQUEST_CHECK_MS } = {},
): Promise<Listener> {
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      requestTimeout: requestMs,
      connectionsCheckingInterval: checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    },
    handle,
  );
  answerBroken(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new ListenError(error, host, port)));
    server.listen({ host, port }, resolve);
  });
  const unused = watchUnused(server);
  const { port: actual } = server.address() as AddressInfo;
  return { port: actual, url: `http://${reachable(host)}:${actual}`, drain: () => drain(server, unused) };
}

/**
 * The connections without a request so far. Browsers open some ahead of need, and Node does not count them among the
 * idle ones.
 */
function watchUnused(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return unused;
}

/** Answers invalid requests as Node does, and those that take too long, except uploads that may. */
function answerBroken(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (req, res) => void answers.set(req.socket, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isSlowUpload(socket)) return;
    const answer = answers.get(socket);
    const hasBegun = answer !== undefined && answer.headersSent && !answer.writableFinished;
    if (socket.writable && !hasBegun)
      socket.end(
        `HTTP/1.1 ${BROKEN[error.code ?? ''] ?? '400 Bad Request'}\r\nConnection: close\r\n\r\n`,
        () => socket.destroy(),
      );
    else socket.destroy();
  });
}

const BROKEN: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** A host that a client of this machine can use for the address listened on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}

async function drain(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of unused) socket.destroy();
  // A connection that was busy when the server closed becomes idle after its answer, and would be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(limit);
}

function explanationOf(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
): { sentence: string; advice: string } {
  if (error.code === 'EADDRINUSE')
    return {
      sentence: `Port ${port} of ${host} is in use by ${holderOf(port) ?? 'another program'}.`,
      advice: 'Choose another port with --port, or 0 for any free port.',
    };
  if (error.code === 'EACCES')
    return { sentence: `Port ${port} of ${host} requires elevated permissions.`, advice: '' };
  if (error.code === 'EADDRNOTAVAIL')
    return {
      sentence: `This machine does not have the address ${host}.`,
      advice: 'Choose another one with --host.',
    };
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN')
    return {
      sentence: `The host name ${host} could not be resolved.`,
      advice: 'Set --host to an address of this machine.',
    };
  return { sentence: `The server cannot listen on ${host}, port ${port}: ${error.message}`, advice: '' };
}
