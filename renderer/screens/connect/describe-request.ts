import type { KnockingRequest } from '../../api/ingestion.api.ts';
import { formatCountOf } from '../../ui/format.ts';

export interface RequestWords {
  tag: string;
  tone: 'neutral' | 'green' | 'red' | 'warn';
  sentence: string;
}

/** Says in plain words (code between backticks) what became of a request that knocked, and what to do when it was turned away. */
export function describeRequest(request: KnockingRequest): RequestWords {
  if (request.outcome === 'preflight') return describePreflight(request);
  if (request.outcome === 'refused')
    return { tag: 'refused', tone: 'red', sentence: describeRefusal(request) };
  if (request.outcome === 'dropped') return { tag: 'dropped', tone: 'warn', sentence: describeDrop(request) };
  if (request.outcome === 'inspected') {
    const sentence = `${formatCountOf(request.events, 'event')} from ${sender(request)}, shown and not kept.`;
    return { tag: 'shown', tone: 'neutral', sentence };
  }
  return {
    tag: 'stored',
    tone: 'green',
    sentence: `${formatCountOf(request.events, 'event')} from ${sender(request)}.`,
  };
}

function describePreflight(request: KnockingRequest): RequestWords {
  const who = request.origin ? `A browser at \`${hostOf(request.origin)}\`` : 'A browser';
  return { tag: 'allowed', tone: 'neutral', sentence: `${who} asked whether it may send. It may.` };
}

function describeDrop(request: KnockingRequest): string {
  const reason = request.detail ?? 'Ingestion, beside Live, says why.';
  return `Answered with 200, as the API promises, and not stored. ${reason}`;
}

function describeRefusal(request: KnockingRequest): string {
  const key = request.key_hint ? `The key \`${request.key_hint}\`` : 'The key';
  switch (request.code) {
    case 'invalid_api_key':
      return `${key} belongs to no project here. Nothing was stored. Use the key on this page.`;
    case 'missing_api_key':
    case 'no_api_key':
    case 'empty':
      return 'It carried no project key. Nothing was stored. Use the key on this page.';
    case 'personal_api_key':
      return `${key} is a personal key, which reads. Sending needs the project key on this page.`;
    case 'too_long':
    case 'not_string':
    case 'not_ascii':
    case 'null_byte':
      return `${key} is not in the form of a project key. Nothing was stored. Use the key on this page.`;
    case 'no_data':
      return 'It held no data. Events are sent with POST, in the body.';
    case 'payload_too_large':
      return 'Its body was larger than the limit. SDKs halve such a batch and try again by themselves.';
    case 'server_error':
      return 'Burrow could not take it at that moment and said so. SDKs try again by themselves.';
    default:
      return `${request.detail ?? `It was answered with ${request.status}.`} Nothing was stored.`;
  }
}

function sender(request: KnockingRequest): string {
  const library = request.lib || 'a sender without a name';
  return request.origin ? `${library} at \`${hostOf(request.origin)}\`` : library;
}

/** `localhost:5173` of `http://localhost:5173`; text that is no URL stays as it is. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
