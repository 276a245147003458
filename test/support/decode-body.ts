import LZString from 'lz-string';
import { ApiError } from '../../server/errors.ts';
import { decodeBody, type DecodedBody, type EncodedBody } from '../../server/http/decode.ts';

export const EVENT = { api_key: 'phc_1', event: 'päge view 🦔', properties: { plan: 'a+b/c=?' } };

export const JSON_TEXT = JSON.stringify(EVENT);

export const BASE64 = Buffer.from(JSON_TEXT).toString('base64');

export const LZ64 = LZString.compressToBase64(JSON_TEXT);

export const FORM = 'application/x-www-form-urlencoded';

/** A body as the public routes decode it, of at most a million bytes by default. */
export function decode(body: string | Uint8Array, rest: Partial<EncodedBody> = {}): DecodedBody {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return decodeBody({
    bytes: new Uint8Array(bytes),
    search: '',
    contentType: 'application/json',
    contentEncoding: '',
    maxDecodedBytes: 1_000_000,
    ...rest,
  });
}

/** The code of the error by which a body is refused. */
export function refusal(body: string | Uint8Array, rest: Partial<EncodedBody> = {}): string {
  try {
    decode(body, rest);
  } catch (error) {
    if (error instanceof ApiError) return error.row.code;
    throw error;
  }
  return 'decoded';
}

/** Fields as the text of a form. */
export function formOf(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
