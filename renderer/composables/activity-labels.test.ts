import { expect, test } from 'vitest';
import type { ActivityEntry } from '../../server/features/activity-log/activity-log.contract.ts';
import { sentenceOf, valueText, whoOf } from './activity-labels.ts';

type Change = [field: string, before: unknown, after: unknown];

function said(scope: string, activity: string, name: string | null, ...changes: Change[]): string {
  const entry: ActivityEntry = {
    id: '0190f0c1-0000-7000-8000-000000000001',
    user: null,
    activity,
    scope,
    item_id: '7',
    detail: {
      name,
      short_id: null,
      changes: changes.map(([field, before, after]) => ({
        type: scope,
        action: 'changed',
        field,
        before,
        after,
      })),
    },
    created_at: '2026-11-20T09:30:00.000000Z',
    is_system: false,
    unread: false,
    project_id: 1,
  };
  const sentence = sentenceOf(entry);
  return [sentence.before, `<${sentence.name}>`, sentence.after].join(' ').trim();
}

test.each([
  [said('Dashboard', 'created', 'Weekly'), 'created the dashboard <Weekly>'],
  [said('Action', 'deleted', 'Joined'), 'deleted the action <Joined>'],
  [said('Annotation', 'restored', null), 'restored the annotation <#7>'],
  [said('FeatureFlag', 'overridden', 'nav'), 'added a local override to the flag <nav>'],
  [said('FeatureFlag', 'override ended', 'nav'), 'removed a local override from the flag <nav>'],
  [said('Cohort', 'persons added', 'Pro'), 'added persons to the cohort <Pro>'],
  [said('Cohort', 'person removed', 'Pro'), 'removed a person from the cohort <Pro>'],
  [said('Dashboard', 'collaborator added', 'Weekly'), 'added a collaborator to the dashboard <Weekly>'],
  [said('Dashboard', 'collaborator removed', 'Weekly'), 'removed a collaborator from the dashboard <Weekly>'],
  [
    said('Action', 'updated', 'Joined', ['name', 'Signed up', 'Joined']),
    'renamed the action <Joined> , formerly Signed up',
  ],
  [said('Insight', 'updated', 'A', ['name', null, 'A']), 'changed the name of the insight <A>'],
  [
    said('Insight', 'updated', 'A', ['name', 'B', 'A'], ['tags', [], ['x']]),
    'changed the name and tags of the insight <A>',
  ],
  [
    said(
      'Action',
      'updated',
      'A',
      ['a', 1, 2],
      ['b', 1, 2],
      ['c', 1, 2],
      ['d', 1, 2],
      ['slack_format', 1, 2],
    ),
    'changed the a, b, c and 2 more of the action <A>',
  ],
  [
    said('Project', 'updated', 'Default', ['api_token', null, null]),
    'replaced the API key of the project <Default>',
  ],
  [said('Dashboard', 'sharing enabled', 'Weekly'), 'enabled sharing for the dashboard <Weekly>'],
  [said('Insight', 'access token refreshed', 'A'), 'created a new public link for the insight <A>'],
  [said('Insight', 'old access token ended', 'A'), 'revoked the previous public link of the insight <A>'],
  [
    said('OrganizationMembership', 'created', 'ada@a.test', ['level', null, 8]),
    'added <ada@a.test> as admin',
  ],
  [
    said('OrganizationMembership', 'updated', 'ada@a.test', ['level', 8, 1]),
    'changed the role of <ada@a.test> to member',
  ],
  [said('OrganizationMembership', 'deleted', 'ada@a.test'), 'removed <ada@a.test>'],
  [said('AccessControl', 'updated', 'Weekly'), 'changed access to <Weekly>'],
  [said('SharingConfiguration', 'all sharing ended', null), 'turned off <public sharing> for this server'],
  [
    said('User', 'updated', 'ada@a.test', ['first_name', '', 'Ada']),
    'changed the first name in the profile of <ada@a.test>',
  ],
  [said('Survey', 'created', 'NPS'), 'created the survey <NPS>'],
  [
    said('Survey', 'updated', 'NPS', ['start_date', null, '2026-11-20T09:30:00Z']),
    'changed the start date of the survey <NPS>',
  ],
  [said('Survey', 'deleted', 'NPS'), 'deleted the survey <NPS>'],
  [said('EarlyAccessFeature', 'created', 'Beta'), 'created the early access feature <Beta>'],
  [
    said('EarlyAccessFeature', 'updated', 'Beta', ['name', 'Alpha', 'Beta']),
    'renamed the early access feature <Beta> , formerly Alpha',
  ],
  [
    said('EarlyAccessFeature', 'updated', 'Beta', ['stage', 'concept', 'beta']),
    'changed the stage of the early access feature <Beta>',
  ],
  [said('EarlyAccessFeature', 'deleted', 'Beta'), 'deleted the early access feature <Beta>'],
  [
    said('InsightVariable', 'updated', 'Plan', ['type', 'String', 'List']),
    'changed the type of the SQL variable <Plan>',
  ],
  [
    said('EventDefinition', 'updated', 'sign up', ['tags', [], ['a']]),
    'changed the tags of the event <sign up>',
  ],
  [said('Notebook', 'exported', 'A'), 'exported: Notebook <A>'],
])('%s', (words, wanted) => {
  expect(words).toBe(wanted);
});

test('values are shown as text, objects as JSON, empty values as null', () => {
  expect(valueText('free')).toBe('free');
  expect(valueText(['a'])).toBe('[\n  "a"\n]');
  expect(valueText(false)).toBe('false');
  expect(valueText('')).toBeNull();
  expect(valueText(null)).toBeNull();
});

test('a user is shown by name, or by email without a name, and the server as Burrow', () => {
  const user = { first_name: 'Ada', last_name: 'Byron', email: 'ada@a.test' } as ActivityEntry['user'];
  expect(whoOf({ user, is_system: false })).toBe('Ada Byron');
  expect(whoOf({ user: { ...user!, first_name: '', last_name: '' }, is_system: false })).toBe('ada@a.test');
  expect(whoOf({ user: null, is_system: true })).toBe('Burrow');
});
