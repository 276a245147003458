import type { ReceivedRequest } from '../../../server/features/ingestion/ingestion.contract.ts';
import { formatCountOf } from '../../ui/format.ts';

export interface RequestLabels {
  tag: string;
  tone: 'neutral' | 'green' | 'red' | 'warn';
  sentence: string;
}

/** Says in plain words (code between backticks) what became of a received request, and what to do when it was turned away. */
export function describeRequest(request: ReceivedRequest): RequestLabels {
  if (request.outcome === 'preflight') return describePreflight(request);
  if (request.outcome === 'refused')
    return { tag: 'rejected', tone: 'red', sentence: describeRefusal(request) };
  if (request.outcome === 'dropped') return { tag: 'dropped', tone: 'warn', sentence: describeDrop(request) };
  if (request.outcome === 'inspected') {
    const sentence = `${formatCountOf(request.events, 'event')} from ${sender(request)}, shown live and not stored.`;
    return { tag: 'inspected', tone: 'neutral', sentence };
  }
  return {
    tag: 'stored',
    tone: 'green',
    sentence: `${formatCountOf(request.events, 'event')} from ${sender(request)}.`,
  };
}

function describePreflight(request: ReceivedRequest): RequestLabels {
  const who = request.origin ? `A browser at \`${hostOf(request.origin)}\`` : 'A browser';
  return {
    tag: 'allowed',
    tone: 'neutral',
    sentence: `${who} sent a CORS preflight request. It was allowed.`,
  };
}

function describeDrop(request: ReceivedRequest): string {
  const reason = request.detail ?? 'See Ingestion for the reasons.';
  return `Accepted with status 200, as the API requires, but not stored. ${reason}`;
}

function describeRefusal(request: ReceivedRequest): string {
  const key = request.key_hint ? `The key \`${request.key_hint}\`` : 'The key';
  switch (request.code) {
    case 'invalid_api_key':
      return `${key} does not belong to any project. Nothing was stored. Use the project API key on this page.`;
    case 'missing_api_key':
    case 'no_api_key':
    case 'empty':
      return 'The request had no project API key. Nothing was stored. Use the project API key on this page.';
    case 'personal_api_key':
      return `${key} is a personal API key. Nothing was stored. Use the project API key on this page to send events.`;
    case 'too_long':
    case 'not_string':
    case 'not_ascii':
    case 'null_byte':
      return `${key} is not a valid project API key. Nothing was stored. Use the project API key on this page.`;
    case 'no_data':
      return 'The request had no data. Send events with POST, in the body.';
    case 'payload_too_large':
      return 'The request body exceeded the size limit. SDKs split the batch and retry automatically.';
    case 'server_error':
      return 'Burrow could not accept the request at that time. SDKs retry automatically.';
    default:
      return `${request.detail ?? `The response status was ${request.status}.`} Nothing was stored.`;
  }
}

function sender(request: ReceivedRequest): string {
  const library = request.lib || 'an unknown sender';
  return request.origin ? `${library} at \`${hostOf(request.origin)}\`` : library;
}

/** `localhost:5173` of `http://localhost:5173`; other text is returned unchanged. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
