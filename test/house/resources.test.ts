import { expect, test } from 'vitest';
import { RESOURCES } from '../../renderer/composables/resources.ts';
import { openTestApp } from '../support/test-app.ts';

/** The features as the server builds them. */
async function openFeatures() {
  return (await openTestApp()).app.features;
}

test('every resource of the server has a label in the console, under the same name in scopes and in the activity log', async () => {
  const { resources } = await openFeatures();
  expect(resources.length).toBeGreaterThan(10);
  expect(RESOURCES.map(({ noun, activity }) => `${noun} ${activity}`)).toEqual(
    expect.arrayContaining(resources.map(({ noun, activity }) => `${noun} ${activity}`)),
  );
});

test('an API key that the console creates can be given a scope of every route that has one', async () => {
  const { list } = await openFeatures();
  const scopes = list
    .flatMap(({ routes = [] }) => routes.map(({ scope }) => scope))
    .filter((scope) => scope.length > 0 && !(scope as readonly string[]).includes('*'));
  expect(scopes.length).toBeGreaterThan(50);
  const offered = new Set(
    RESOURCES.flatMap(({ noun, scope }) =>
      scope ? [`${noun}:read`, ...(scope.write === null ? [] : [`${noun}:write`])] : [],
    ),
  );
  expect(scopes.filter((scope) => !scope.some((one) => offered.has(one)))).toEqual([]);
});

test('no two resources of the console have the same name or place', () => {
  for (const key of ['noun', 'activity', 'order'] as const) {
    const values = RESOURCES.map((resource) => resource[key]).filter((value) => value !== undefined);
    expect(values).toEqual([...new Set(values)]);
  }
});
