import { readFileSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import lzString from 'lz-string';

const FOLDER = new URL('../fixtures/wire/', import.meta.url);

/** The token that every recorded request carries. */
export const WIRE_TOKEN = 'phc_wiretest00000000000000000000000000000000000';
/** The personal key that recorded requests for flag definitions carry. */
export const WIRE_PERSONAL_KEY = 'phx_personal_test';

/** A request of a real SDK as it was recorded. */
export interface WireRequest {
  n: number;
  /** The SDK call that sent it. */
  phase: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** The exact bytes of the body. */
  body_raw_b64: string;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** An event as a recorded request carries it. */
export interface WireEvent {
  uuid: string | null;
  event: string;
  distinctId: string;
  properties: Record<string, unknown>;
}

/** Names of the recordings, each of one SDK. */
export function listRecordings(): string[] {
  return readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
}

export function readRecording(name: string): WireRequest[] {
  const lines = readFileSync(new URL(name, FOLDER), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as WireRequest);
}

/** Path and query as they were sent. */
export function wireTarget({ path, query }: WireRequest): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Sends the recorded bytes with the recorded headers; only Host and the connection are this server's. */
export function replay(server: string, recorded: WireRequest): Promise<WireAnswer> {
  const { host, hostname, port } = new URL(server);
  const headers = { ...recorded.headers, host, connection: 'close' };
  return new Promise((resolve, reject) => {
    const req = request(
      {
        hostname,
        port,
        method: recorded.method,
        path: wireTarget(recorded),
        headers,
        setHost: false,
        agent: false,
      },
      (res) => {
        let text = '';
        res.setEncoding('utf8');
        res.on('data', (piece: string) => (text += piece));
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, text }));
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.end(Buffer.from(recorded.body_raw_b64, 'base64'));
  });
}

/** The events in a recorded body. Decoded here and not by the server's decoder, which is what the replay puts to the test. */
export function wireEvents(recorded: WireRequest): WireEvent[] {
  if (recorded.method !== 'POST' || /^\/(decide|flags|i\/v1)\//.test(recorded.path)) return [];
  const json = decode(Buffer.from(recorded.body_raw_b64, 'base64')) as Record<string, unknown>;
  const items = Array.isArray(json) ? json : Array.isArray(json['batch']) ? json['batch'] : [json];
  return (items as Record<string, unknown>[]).map((item) => {
    const properties = (item['properties'] ?? {}) as Record<string, unknown>;
    return {
      uuid: (item['uuid'] as string | undefined) ?? null,
      // Mixpanel's engage carries no name; it is an identify.
      event: (item['event'] as string | undefined) ?? '$identify',
      distinctId: String(item['distinct_id'] ?? item['$distinct_id'] ?? properties['distinct_id']),
      properties,
    };
  });
}

function decode(bytes: Buffer): unknown {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return JSON.parse(gunzipSync(bytes).toString());
  const text = bytes.toString();
  if (text.startsWith('{') || text.startsWith('[')) return JSON.parse(text);
  const form = new URLSearchParams(text);
  const data = form.get('data') ?? '';
  if (form.get('compression') === 'lz64') return JSON.parse(lzString.decompressFromBase64(data));
  return JSON.parse(Buffer.from(data, 'base64').toString());
}
