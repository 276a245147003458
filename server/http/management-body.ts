import { parseExactly } from '../lib/exact-number.contract.ts';
import { raw } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, fail } from '../errors.ts';
import { isTooDeep, MAX_JSON_DEPTH } from '../lib/json-depth.ts';

/** Bytes of a management request, after decompression (management contract D15). */
const MAX_BODY_BYTES = 20_971_520;

const readRaw = raw({ type: () => true, limit: MAX_BODY_BYTES });

/** What a body says, or why it cannot be read: the refusal waits until the caller is authenticated (contract 2.5). */
export type ManagementBody =
  { value: unknown; problem?: undefined } | { value?: undefined; problem: ApiError };

/**
 * Reads JSON, form and multipart bodies; an empty body is an empty object. Throws payload_too_large immediately, and
 * what Express throws for a body that breaks off.
 */
export async function readManagementBody(req: IncomingMessage, res: ServerResponse): Promise<ManagementBody> {
  const bytes = await readBytes(req, res);
  if (bytes.length === 0) return { value: {} };
  const type = req.headers['content-type'] ?? 'application/json';
  try {
    return { value: await parse(bytes, type) };
  } catch (error) {
    return { problem: error instanceof ApiError ? error : fail('parse_error') };
  }
}

function readBytes(req: IncomingMessage, res: ServerResponse): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    readRaw(req as never, res as never, (error?: unknown) => {
      if (error !== undefined && error !== null) return reject(error as Error);
      const { body } = req as IncomingMessage & { body?: unknown };
      resolve(Buffer.isBuffer(body) ? body : Buffer.alloc(0));
    });
  });
}

async function parse(bytes: Buffer, contentType: string): Promise<unknown> {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  if (type === 'application/json') return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (type === 'application/x-www-form-urlencoded')
    return fieldsOf(new URLSearchParams(bytes.toString('utf8')));
  if (type === 'multipart/form-data') {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
    return fieldsOf(await Promise.all([...form].map(textOf)));
  }
  throw fail('unsupported_media_type');
}

function parseJson(text: string): unknown {
  const value: unknown = parseExactly(text);
  if (!isTooDeep(text)) return value;
  throw fail('parse_error', { detail: `The body is nested deeper than ${MAX_JSON_DEPTH} levels.` });
}

/** A file is its text, as UTF-8. */
async function textOf([name, value]: [string, File | string]): Promise<[string, string]> {
  return [name, typeof value === 'string' ? value : await value.text()];
}

/** A repeated field becomes a list. */
function fieldsOf(entries: Iterable<readonly [string, string]>): Record<string, unknown> {
  const fields = new Map<string, string | string[]>();
  for (const [name, value] of entries) {
    const earlier = fields.get(name);
    fields.set(name, earlier === undefined ? value : [earlier, value].flat());
  }
  return Object.fromEntries(fields);
}
