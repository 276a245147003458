import { describe, expect, test } from 'vitest';
import type { ReceivedRequest } from '../../../server/features/ingestion/ingestion.contract.ts';
import { describeRequest } from './describe-request.ts';

const aRequest = (change: Partial<ReceivedRequest>): ReceivedRequest => ({
  at: '2026-11-19T14:31:52Z',
  method: 'POST',
  path: '/capture/',
  status: 200,
  outcome: 'stored',
  events: 1,
  code: null,
  detail: null,
  origin: null,
  lib: 'posthog-node 5.70.0',
  key_hint: null,
  ...change,
});

describe('a received request', () => {
  test('stored: shows the event count, library and origin', () => {
    expect(describeRequest(aRequest({ events: 2, origin: 'http://localhost:5173' }))).toEqual({
      tag: 'stored',
      tone: 'green',
      sentence: '2 events from posthog-node 5.70.0 at `localhost:5173`.',
    });
    expect(describeRequest(aRequest({ lib: '' })).sentence).toBe('1 event from an unknown sender.');
  });

  test('rejected for a key of another project: names the key and the solution', () => {
    const words = describeRequest(
      aRequest({ outcome: 'refused', status: 401, code: 'invalid_api_key', key_hint: 'phc_old…9Qd' }),
    );
    expect(words.tag).toBe('rejected');
    expect(words.sentence).toBe(
      'The key `phc_old…9Qd` does not belong to any project. Nothing was stored. Use the project API key on this page.',
    );
  });

  test('rejected without a key, and with a personal API key', () => {
    const refused = (code: string) =>
      describeRequest(aRequest({ outcome: 'refused', status: 401, code })).sentence;
    expect(refused('missing_api_key')).toMatch(/^The request had no project API key/);
    expect(refused('personal_api_key')).toContain('is a personal API key');
  });

  test('rejected for an unknown reason: shows the server’s message', () => {
    const words = describeRequest(
      aRequest({ outcome: 'refused', status: 400, code: 'new', detail: 'Malformed.' }),
    );
    expect(words.sentence).toBe('Malformed. Nothing was stored.');
    expect(describeRequest(aRequest({ outcome: 'refused', status: 418 })).sentence).toContain('418');
  });

  test('dropped: shows that the response was 200', () => {
    const words = describeRequest(aRequest({ outcome: 'dropped', detail: 'It has no name.' }));
    expect(words).toMatchObject({ tag: 'dropped', tone: 'warn' });
    expect(words.sentence).toContain('200');
    expect(words.sentence).toContain('It has no name.');
  });

  test('a preflight is not an event yet', () => {
    const words = describeRequest(
      aRequest({ outcome: 'preflight', method: 'OPTIONS', origin: 'http://localhost:5173' }),
    );
    expect(words).toMatchObject({ tag: 'allowed', tone: 'neutral' });
    expect(words.sentence).toContain('localhost:5173');
  });
});
