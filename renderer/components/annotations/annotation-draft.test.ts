import { describe, expect, test } from 'vitest';
import type { AnnotationJson as Annotation } from '../../../server/features/annotations/annotations.contract.ts';
import { changeOf, draftOf, newDraft, problemsOf } from './annotation-draft.ts';

const NOW = new Date('2026-11-22T08:00:00Z');
const STORED = {
  content: 'v1',
  date_marker: '2026-11-22T08:30:17Z',
  scope: 'project',
  dashboard_item: null,
  dashboard_id: 7,
  dashboard_name: null,
  insight_name: null,
  insight_derived_name: null,
} as Annotation;

describe('an annotation draft', () => {
  test('shows the time in the project’s time zone and is converted back to the instant', () => {
    const draft = draftOf(STORED, 'Europe/Oslo', NOW);
    expect(draft).toMatchObject({ day: '2026-11-22', time: '09:30' });
    const moved = { ...draft, day: '2026-07-01', time: '9:05' };
    expect(changeOf(moved, 'Europe/Oslo', draft).date_marker).toBe('2026-07-01T07:05:00.000Z');
  });

  test('keeps the seconds of the instant when the time is not edited', () => {
    const draft = draftOf(STORED, 'Europe/Oslo', NOW);
    expect(changeOf({ ...draft, content: ' v2 ' }, 'Europe/Oslo', draft)).toEqual({
      content: 'v2',
      scope: 'project',
    });
  });

  test('is linked only to the object of its scope', () => {
    const draft = {
      ...newDraft({ at: '2026-11-22 09:30:00', insight: { id: 3, name: 'Paid' } }),
      content: 'v1',
    };
    expect(changeOf(draft, 'UTC', null)).toEqual({
      content: 'v1',
      scope: 'project',
      date_marker: '2026-11-22T09:30:00.000Z',
    });
    expect(changeOf({ ...draft, scope: 'dashboard_item' }, 'UTC', null)).toMatchObject({ dashboard_item: 3 });
    expect(draftOf(STORED, 'UTC', NOW).dashboard).toEqual({ id: 7, name: 'Dashboard 7' });
  });
});

test('requires content, a time, and the object of its scope', () => {
  const draft = newDraft({ at: '2026-11-22 09:30:00' });
  expect(problemsOf(draft).content).not.toBe('');
  const whole = { ...draft, content: 'v1' };
  expect(Object.values(problemsOf(whole))).toEqual(['', '', '']);
  expect(problemsOf({ ...whole, time: '9:30' }).time).toBe('');
  expect(problemsOf({ ...whole, time: '25:00' }).time).not.toBe('');
  expect(problemsOf({ ...whole, scope: 'dashboard' }).tie).toBe('Select a dashboard.');
  expect(problemsOf({ ...whole, scope: 'dashboard_item' }).tie).toBe('Select an insight.');
});
