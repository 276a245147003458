import { expect, test } from 'vitest';
import { KINDS, sentenceOf } from '../../renderer/composables/activity-labels.ts';
import { RESOURCES } from '../../renderer/composables/resources.ts';
import { SCOPE_OBJECTS } from '../../renderer/screens/settings/key-scopes.ts';
import type { Resource } from '../../server/http/define-resource.ts';
import { openTestApp } from '../support/test-app.ts';

/** The features as the server builds them. */
async function openFeatures() {
  return (await openTestApp()).app.features;
}

/** How the activity log names an object that was changed. */
function loggedAs({ activity }: Pick<Resource, 'activity'>): string {
  const detail = { name: 'A', short_id: null, changes: [] };
  const entry = { id: '1', user: null, activity: 'created', scope: activity, item_id: '7', detail };
  return sentenceOf({ ...entry, created_at: '', is_system: false, unread: false, project_id: 1 }).before;
}

/** Resources of the server whose objects the console would show by their names on the wire. */
function unlabeled(resources: readonly Resource[]): string[] {
  const scopes = new Set(SCOPE_OBJECTS.map(({ object }) => object));
  return resources.flatMap((resource) => [
    ...(scopes.has(resource.noun) ? [] : [`${resource.noun} in scopes`]),
    ...(loggedAs(resource).includes(resource.activity) ? [`${resource.activity} in the activity log`] : []),
  ]);
}

test('the console has a label in scopes and in the activity log for every resource of the server', async () => {
  const { resources } = await openFeatures();
  expect(resources.length).toBeGreaterThan(10);
  expect(unlabeled(resources)).toEqual([]);
});

test('a resource without a label is noticed', () => {
  expect(unlabeled([{ noun: 'unlabeled_noun', activity: 'UnlabeledNoun' }])).toEqual([
    'unlabeled_noun in scopes',
    'UnlabeledNoun in the activity log',
  ]);
});

test('an API key that the console creates can be given a scope of every route that has one', async () => {
  const { list } = await openFeatures();
  const scopes = list
    .flatMap(({ routes = [] }) => routes.map(({ scope }): readonly string[] => scope))
    .filter((scope) => scope.length > 0 && !scope.includes('*'));
  expect(scopes.length).toBeGreaterThan(50);
  const offered = new Set(
    SCOPE_OBJECTS.flatMap(({ object, write }) => [
      `${object}:read`,
      ...(write === null ? [] : [`${object}:write`]),
    ]),
  );
  // No stored key makes sign-in links.
  expect(scopes.filter((scope) => !scope.some((one) => offered.has(one)))).toEqual([['sign_in_link:write']]);
});

test('resources of the console have a name and a place of their own, and each kind of the log is in one choice', () => {
  for (const field of ['noun', 'activity', 'order'] as const) {
    const values = RESOURCES.map((resource) => resource[field]).filter((value) => value !== undefined);
    expect(values).toEqual([...new Set(values)]);
  }
  const kinds = KINDS.flatMap(({ id }) => id.split(','));
  expect(kinds).toEqual([...new Set(kinds)]);
  expect(kinds).toEqual(expect.arrayContaining(['FeatureFlag', 'Survey', 'EarlyAccessFeature']));
});
