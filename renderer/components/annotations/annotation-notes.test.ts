import { describe, expect, test } from 'vitest';
import type { AnnotationJson as Annotation } from '../../../server/features/annotations/annotations.contract.ts';
import { isShownOn, notesOf, placeLabel } from './annotation-notes.ts';

const note = (more: Partial<Annotation>) =>
  ({
    scope: 'project',
    content: 'v1',
    date_marker: '2026-11-10T23:30:00Z',
    dashboard_id: null,
    dashboard_item: null,
    dashboard_name: null,
    insight_name: null,
    insight_derived_name: null,
    ...more,
  }) as Annotation;

describe('an annotation is shown', () => {
  test('everywhere when it is for the project or for all projects', () => {
    expect(isShownOn(note({}), {})).toBe(true);
    expect(isShownOn(note({ scope: 'organization' }), { insightId: 3 })).toBe(true);
  });

  test('on its dashboard or its insight only', () => {
    const onDashboard = note({ scope: 'dashboard', dashboard_id: 7 });
    expect(isShownOn(onDashboard, { dashboardId: 7, insightId: 1 })).toBe(true);
    expect(isShownOn(onDashboard, { dashboardId: 8 })).toBe(false);
    expect(isShownOn(onDashboard, { insightId: 7 })).toBe(false);
    const onInsight = note({ scope: 'dashboard_item', dashboard_item: 3 });
    expect(isShownOn(onInsight, { dashboardId: 8, insightId: 3 })).toBe(true);
    expect(isShownOn(onInsight, { insightId: null })).toBe(false);
  });

  test('on no chart when its scope has no object or is recording', () => {
    expect(isShownOn(note({ scope: 'dashboard_item' }), { insightId: null })).toBe(false);
    expect(isShownOn(note({ scope: 'dashboard' }), {})).toBe(false);
    expect(isShownOn(note({ scope: 'recording' }), { insightId: 1, dashboardId: 1 })).toBe(false);
  });
});

test('notes are sorted and in the project’s time zone; an annotation without a date marker is left out', () => {
  const later = note({ content: null, date_marker: '2026-11-12T10:00:00Z' });
  expect(notesOf([later, note({}), note({ date_marker: null })], {}, 'Europe/Oslo')).toEqual([
    { day: '2026-11-11 00:30:00', text: 'v1' },
    { day: '2026-11-12 11:00:00', text: 'An annotation without content' },
  ]);
});

test('its scope is shown by name, and by id where the name is hidden', () => {
  expect(placeLabel(note({ scope: 'dashboard', dashboard_id: 7, dashboard_name: 'Money' }))).toBe('Money');
  expect(placeLabel(note({ scope: 'dashboard_item', dashboard_item: 3 }))).toBe('insight 3');
  expect(placeLabel(note({ scope: 'dashboard_item' }))).toBe('no insight yet');
  expect(placeLabel(note({}))).toBe('project');
});
