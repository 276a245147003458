import { describe, expect, test } from 'vitest';
import type { DroppedRow } from '../../../server/features/ingestion/ingestion.contract.ts';
import type { LiveEvent } from '../../api/live.api.ts';
import { captureBodyOf, curlOf, delayOf, groupDrops } from './live-events.ts';

const anEvent = (
  event: string,
  properties: Record<string, unknown> = {},
  change: Partial<LiveEvent> = {},
): LiveEvent => ({
  id: '0193f2ac-5b7e-7a10-b3c4-92d1f0a6e8b7',
  event,
  distinct_id: 'ana@reyes-studio.example',
  timestamp: '2026-11-19T13:32:08.417204Z',
  received_at: '2026-11-19T13:32:08.455Z',
  properties,
  elements_chain: '',
  lib: 'web',
  lib_version: '1.0.0',
  ...change,
});

test('the delay is from timestamp to arrival; unknown for a stored event', () => {
  expect(delayOf(anEvent('a'))).toBe(38);
  expect(delayOf(anEvent('a', {}, { received_at: null }))).toBeNull();
});

describe('sending again', () => {
  const event = anEvent(`it's "sent"`, { note: `a 'quoted' $HOME \`x\`\n` });

  test('is a new event with the same contents', () => {
    expect(captureBodyOf(event, 'phc_x', () => 'new-id')).toEqual({
      api_key: 'phc_x',
      uuid: 'new-id',
      event: event.event,
      distinct_id: event.distinct_id,
      properties: event.properties,
    });
  });

  test('the curl command keeps every character in single quotes', () => {
    const text = curlOf(event, 'http://127.0.0.1:2877', 'phc_x');
    expect(text.startsWith('curl http://127.0.0.1:2877/capture/ \\\n')).toBe(true);
    const argument = text.slice(text.indexOf('--data-raw ') + 11);
    expect(JSON.parse(unquote(argument))).toEqual({
      api_key: 'phc_x',
      event: event.event,
      distinct_id: event.distinct_id,
      properties: event.properties,
    });
  });

  /** What a POSIX shell makes of a word of single-quoted pieces and escaped characters. */
  function unquote(word: string): string {
    return [...word.matchAll(/'([^']*)'|\\(.)/g)].map(([, quoted, escaped]) => quoted ?? escaped).join('');
  }
});

describe('dropped events', () => {
  const aRow = (reason: string, lib: string, count: number): DroppedRow => ({
    reason,
    lib,
    lib_version: '1.0.0',
    count,
    first_seen: '2026-11-19T13:00:00Z',
    last_seen: '2026-11-19T13:10:00Z',
    sample_event: 'signup',
  });

  test('are grouped by reason, the most frequent first, each with its SDKs', () => {
    const groups = groupDrops([
      aRow('missing_event_name', 'curl', 12),
      aRow('missing_distinct_id', 'posthog-node', 7),
      aRow('missing_distinct_id', 'posthog-python', 20),
    ]);
    expect(groups.map(({ title, count }) => [title, count])).toEqual([
      ['No distinct_id', 27],
      ['No event name', 12],
    ]);
    expect(groups[0]?.rows.map(({ lib }) => lib)).toEqual(['posthog-python', 'posthog-node']);
  });

  test('a reason of a newer server is shown by its own name', () => {
    expect(groupDrops([aRow('over_quota', 'web', 1)])[0]).toMatchObject({ title: 'over quota', hint: '' });
  });
});
