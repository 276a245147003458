import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import {
  Agent as HttpAgent,
  request as requestHttp,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { timeLimit } from '../lib/time-limit.ts';

/** One request to another machine, or to another program of this one. */
export interface OutsideCall {
  url: string;
  method: 'GET' | 'POST' | 'PATCH';
  contentType: string;
  /** Empty: none. */
  body: string | Buffer;
  /** Besides those that follow from the other fields; a key of the receiver may be one. */
  headers?: Readonly<Record<string, string>>;
  /** At most, of the body as it is sent; left out: 64 KiB. */
  maxBodyBytes?: number | undefined;
  /** Bytes of the answer that are read; default: none. */
  maxAnswerBytes?: number;
  /** How Burrow names itself, such as `Burrow/0.9.0`. */
  userAgent: string;
  signal?: AbortSignal | undefined;
}

/** What came back. */
export interface OutsideAnswer {
  status: number;
  /** The header by which a host says when to call again. */
  retryAfter: string | null;
  /** Empty where the call reads no answer. */
  text: string;
}

/** Resolves a name to all of its addresses; tests give one that answers what they want. */
export type Resolve = (host: string, callback: (error: Error | null, all: LookupAddress[]) => void) => void;

/** Why a call was not sent, or has no answer. `isFinal`: another try would end the same way. */
export class OutsideError extends Error {
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

const LIMIT_MS = 10_000;
const MAX_BODY_BYTES = 65_536;
const MAX_URL_LENGTH = 2_000;

/**
 * Addresses that are never called: this network, links, groups, and where clouds keep the secrets of a machine. Loopback and
 * private networks are allowed, because the receiver of a developer is often on the same machine.
 */
const REFUSED = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
  ['255.255.255.255', 32],
] as const)
  REFUSED.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 128],
  // They carry an IPv4 address of any kind (RFC 3056, 4380).
  ['2001::', 32],
  ['2002::', 16],
  // So does this (RFC 8215), at a place that each network chooses.
  ['64:ff9b:1::', 48],
  ['fd00:42::42', 128],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  REFUSED.addSubnet(network, prefix, 'ipv6');

/** Names under which clouds serve the secrets of a machine. */
const METADATA_NAMES = new Set([
  'metadata',
  'metadata.goog',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

/** IPv6 addresses whose last 32 bits are an IPv4 address that is called in the end (RFC 4291, 6052). */
const CARRIES_V4 = /^(?:::ffff:(?:0:)?|64:ff9b::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/** Whether an IP address may be called. */
export function mayCall(address: string): boolean {
  const family = isIP(address);
  // A zone (`fe80::1%eth0`) belongs to link-local addresses.
  if (family === 0 || address.includes('%')) return false;
  if (family === 4) return !REFUSED.check(address, 'ipv4');
  // As a URL writes it, so that every spelling of an address is the same text.
  const written = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  if (written === '::1') return true;
  const [, high, low] = CARRIES_V4.exec(written) ?? [];
  if (high !== undefined && low !== undefined) {
    const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
    return mayCall([first >> 8, first & 255, second >> 8, second & 255].join('.'));
  }
  return !REFUSED.check(written, 'ipv6');
}

/** A URL that may be called, as far as its text says; its name may still lead to an address that is refused. Throws OutsideError. */
export function readOutsideUrl(text: string): URL {
  const refuse = (why: string): OutsideError => new OutsideError(why, true);
  if (text.length > MAX_URL_LENGTH) throw refuse(`The URL is longer than ${MAX_URL_LENGTH} characters.`);
  if (!URL.canParse(text)) throw refuse('This is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refuse('The URL must begin with http:// or https://.');
  if (url.username !== '' || url.password !== '')
    throw refuse('A URL with a user name or password is refused.');
  const host = hostOf(url);
  if (METADATA_NAMES.has(host) || (isIP(host) !== 0 && !mayCall(host))) throw refuse(refusalOf(host));
  return url;
}

/** The host and port of a URL, without its path, which may be a secret. */
export function hostAndPort(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/** The host without brackets and without the dot at its end. */
function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
}

function refusalOf(host: string): string {
  return `${host} is a link-local, multicast or metadata address, which Burrow does not call.`;
}

/**
 * Sends a request to a host that a user named, within 10 seconds. Every address of the name is checked, and the checked one is
 * connected to, so that a second look-up cannot lead elsewhere. Redirects are not followed. No key or cookie of Burrow is sent.
 * Throws OutsideError.
 */
export async function callOutside(
  call: OutsideCall,
  { resolve = resolveAll, limitMs = LIMIT_MS }: { resolve?: Resolve; limitMs?: number } = {},
): Promise<OutsideAnswer> {
  const { method, contentType, body, userAgent, signal } = call;
  const { maxBodyBytes = MAX_BODY_BYTES, maxAnswerBytes = 0 } = call;
  const url = readOutsideUrl(call.url);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.length > maxBodyBytes) throw new OutsideError('The message is too large to be sent.', true);
  const limit = timeLimit(limitMs);
  const options: RequestOptions = {
    method,
    agent: false,
    lookup: checkedLookup(resolve),
    headers: {
      ...call.headers,
      'Content-Type': contentType,
      'Content-Length': bytes.length,
      'User-Agent': userAgent,
    },
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  };
  try {
    const answer = await answerOf(url, options, bytes, maxAnswerBytes);
    const { status } = answer;
    if (status >= 300 && status < 400)
      throw new OutsideError(`It answered with a redirect (${status}), which Burrow does not follow.`, true);
    return answer;
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    if (limit.aborted) throw new OutsideError(`No answer came within ${limitMs / 1000} seconds.`, false);
    throw new OutsideError(problemOf(error as NodeJS.ErrnoException), false);
  }
}

function answerOf(url: URL, options: RequestOptions, body: Buffer, maxBytes: number): Promise<OutsideAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    let isAnswered = false;
    const sent = send(url, options, (answer: IncomingMessage) => {
      isAnswered = true;
      const head = { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] ?? null };
      if (maxBytes > 0)
        return void textOf(answer, maxBytes).then((text) => resolve({ ...head, text }), reject);
      resolve({ ...head, text: '' });
      // Its length is the choice of another, so it is not read.
      answer.destroy();
    });
    // Another protocol, which was not requested: without this, the call would never end.
    sent.once('upgrade', ({ statusCode }, socket) => {
      resolve({ status: statusCode ?? 0, retryAfter: null, text: '' });
      socket.destroy();
    });
    sent.once('error', reject);
    // An answer that breaks off ends by an error of its own.
    sent.once('close', () => isAnswered || reject(new OutsideError(CLOSED, false)));
    sent.end(body);
  });
}

/** Throws OutsideError for an answer that is longer. */
async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new OutsideError('The answer is too large to be read.', true);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Keeps connections to a host that the user named open; each address is checked as in `callOutside`. */
export function outsideAgent(url: URL): HttpAgent {
  const options = { keepAlive: true, lookup: checkedLookup(resolveAll) };
  return url.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options);
}

/** Gives the connection an address that may be called, or an error where any address of the name may not. */
function checkedLookup(resolve: Resolve): LookupFunction {
  return (host, { all }, callback) =>
    resolve(host, (error, found) => {
      const [first] = found;
      const refused = found.find(({ address }) => !mayCall(address));
      if (error !== null || first === undefined)
        return callback(error ?? new OutsideError('The host was not found.', false), '', 4);
      if (refused !== undefined)
        return callback(new OutsideError(refusalOf(`${host} (${refused.address})`), true), '', 4);
      if (all === true) return callback(null, found);
      callback(null, first.address, first.family);
    });
}

function resolveAll(host: string, callback: Parameters<Resolve>[1]): void {
  systemLookup(host, { all: true }, (error, found) => callback(error, found ?? []));
}

const CLOSED = 'The connection was closed before an answer.';
const PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there.',
  ECONNRESET: CLOSED,
  ENOTFOUND: 'The host was not found.',
  EAI_AGAIN: 'The host was not found: name resolution is not available.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network cannot be reached.',
};

/** A sentence without the address, which may hold a secret. */
function problemOf({
  code = '',
  errors,
}: NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }): string {
  const one = code === '' ? (errors?.[0]?.code ?? '') : code;
  return PROBLEMS[one] ?? `The connection failed${one === '' ? '' : ` (${one})`}.`;
}
