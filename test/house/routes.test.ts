import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openTestApp } from '../support/test-app.ts';
import { anyPublicRoute, anyRoute, routeRules } from './rules/route-rules.ts';

/** The features as the server builds them, with their rows of both route tables. */
async function openFeatures() {
  return (await openTestApp()).app.features.list;
}

describe.each(routeRules)('$sentence', ({ check, broken }) => {
  test('the features follow it', async () => {
    expect(check(await openFeatures())).toEqual([]);
  });

  test.each(broken.map((feature) => ({ feature })))('a violation is reported (%#)', ({ feature }) => {
    expect(check([feature])).toHaveLength(1);
  });

  test('valid routes are not reported', () => {
    expect(check([{ name: 'things', routes: [anyRoute], publicRoutes: [anyPublicRoute] }])).toEqual([]);
  });
});

test('every feature with routes is in the list of features', async () => {
  const folder = new URL('../../server/features/', import.meta.url);
  const withRoutes = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.routes.ts'))
    .map((path) => path.split(/[\\/]/)[0]!);
  const listed = (await openFeatures()).map(({ name }) => name);
  expect(listed.toSorted()).toEqual([...new Set(withRoutes)].toSorted());
});
