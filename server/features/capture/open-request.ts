import type { DecodedLimits } from '../../http/body-limits.ts';
import { decodeBody } from '../../http/decode.ts';
import { openAiForm } from './ai-form.ts';
import type { RawCapture } from './capture-messages.ts';
import { openEnvelope } from './envelope.ts';
import { normalizeEvent } from './normalize.ts';
import { openLogs, openRecording } from './not-kept.ts';
import type { OpenedRequest } from './opened-request.ts';
import { readUsualJson } from './fast/usual-json.ts';
import { openImported } from './imported-batch.ts';
import { openV1Batch } from './v1-batch.ts';

/**
 * Decodes a request according to its endpoint. Throws what makes the whole request malformed, and the 401s of its
 * key.
 */
export function openRequest(
  request: RawCapture,
  bytes: Uint8Array,
  limits: DecodedLimits,
  fast: boolean,
): OpenedRequest {
  switch (request.kind) {
    case 'v1':
      return openV1Batch(request, bytes, limits);
    case 'ai':
      return openAiForm(request, bytes, limits);
    case 'recording':
      return openRecording(request, bytes, limits);
    case 'logs':
      return openLogs(request, bytes, limits);
    default: {
      const { search, contentType, contentEncoding } = request;
      const body = decodeBody({
        bytes,
        search,
        contentType,
        contentEncoding,
        maxDecodedBytes: limits.bytes,
        maxParts: limits.parts,
        ...(fast && { readUsual: readUsualJson }),
      });
      const envelope = openEnvelope(body, { kind: request.kind, search });
      if (request.imported !== undefined) return openImported(envelope, request.imported);
      return { envelope, normalize: normalizeEvent, reply: null, notKept: null };
    }
  }
}
