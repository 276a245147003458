import { expect, test } from 'vitest';
import type { FlagDetails } from '../../../server/features/feature-flags/decide/decide.contract.ts';
import { personFlags } from './person-flags.ts';

const flag = (key: string, answer: Partial<FlagDetails>): FlagDetails => ({
  key,
  enabled: true,
  variant: null,
  reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
  metadata: { id: 7, version: 1, description: null, payload: null, has_experiment: false },
  ...answer,
});

test('each flag has its current value and the last sent value, sorted by name', () => {
  const flags = [flag('tone', { variant: 'direct' }), flag('beta', { enabled: false })];
  const sent = [['tone', 'gentle', '2026-11-20T09:00:00Z']] as const;
  expect(personFlags(flags, sent)).toEqual([
    { key: 'beta', id: 7, now: false, reason: 'Matched condition set 1', sent: null },
    {
      key: 'tone',
      id: 7,
      now: 'direct',
      reason: 'Matched condition set 1',
      sent: { value: 'gentle', at: '2026-11-20T09:00:00Z' },
    },
  ]);
});

test('a deleted flag is listed with its sent values, with true and false also read from text', () => {
  const sent = [
    ['old', 'true', '2026-11-20T09:00:00Z'],
    ['older', false, '2026-11-19T09:00:00Z'],
  ] as const;
  expect(personFlags([], sent).map(({ key, id, now, sent: its }) => [key, id, now, its?.value])).toEqual([
    ['old', null, null, true],
    ['older', null, null, false],
  ]);
});
