import { describe, expect, test } from 'vitest';
import type { IngestionWarningJson as IngestionWarning } from '../../server/features/ingestion-warnings/ingestion-warnings.contract.ts';
import { reasonLabelOf } from './reason-labels.ts';
import { countEffects, groupWarnings, sendersOf } from './warning-groups.ts';

const aWarning = (change: Partial<IngestionWarning> = {}): IngestionWarning => ({
  type: 'missing_distinct_id',
  source: '/batch/',
  lib: 'posthog-node',
  lib_version: '5.70.0',
  count: 1,
  first_seen: '2026-11-19T13:00:00Z',
  last_seen: '2026-11-19T14:00:00Z',
  sample: {},
  ...change,
});

describe('warnings by type', () => {
  test('each type once, with the sum of its senders and the whole time range', () => {
    const groups = groupWarnings([
      aWarning({ count: 2, first_seen: '2026-11-19T13:30:00Z' }),
      aWarning({
        lib: 'web',
        count: 5,
        first_seen: '2026-11-18T09:00:00Z',
        last_seen: '2026-11-19T14:30:00Z',
      }),
    ]);
    expect(groups).toMatchObject([
      {
        type: 'missing_distinct_id',
        title: 'No distinct_id',
        count: 7,
        firstSeen: '2026-11-18T09:00:00Z',
        lastSeen: '2026-11-19T14:30:00Z',
      },
    ]);
    expect(groups[0]!.rows.map(({ lib }) => lib)).toEqual(['web', 'posthog-node']);
  });

  test('the type seen last is first', () => {
    const groups = groupWarnings([
      aWarning({ type: 'event_name_truncated', last_seen: '2026-11-19T10:00:00Z' }),
      aWarning({ type: 'missing_event_name', last_seen: '2026-11-19T12:00:00Z' }),
    ]);
    expect(groups.map(({ type }) => type)).toEqual(['missing_event_name', 'event_name_truncated']);
  });

  test('a sender is named once for all its paths; further senders are counted', () => {
    const [group] = groupWarnings([
      aWarning(),
      aWarning({ source: '/e/' }),
      aWarning({ lib: '', lib_version: '', last_seen: '2026-11-19T09:00:00Z' }),
    ]);
    expect(sendersOf(group!)).toBe('posthog-node 5.70.0 and 1 more');
    expect(sendersOf(groupWarnings([aWarning({ lib: '', lib_version: '' })])[0]!)).toBe('unknown sender');
  });

  test('effects are counted from the most severe one, only those that occur', () => {
    const groups = groupWarnings([
      aWarning({ type: 'event_name_truncated' }),
      aWarning({ type: 'missing_event_name' }),
      aWarning({ type: 'distinct_id_truncated' }),
    ]);
    expect(countEffects(groups)).toEqual([
      { effect: 'dropped', count: 1 },
      { effect: 'changed', count: 2 },
    ]);
  });
});

test('an unknown reason is shown by its server name', () => {
  expect(reasonLabelOf('quite_new_reason')).toEqual({
    title: 'quite new reason',
    effect: 'noted',
    text: '',
    advice: '',
  });
});

test('the short name of a reason in the report means the same as its long name', () => {
  expect(reasonLabelOf('invalid_process_person_profile')).toEqual(
    reasonLabelOf('skipping_event_invalid_process_person_profile'),
  );
});
