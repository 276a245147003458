import { readdirSync, readFileSync } from 'node:fs';
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

test('every route that a contract lists is declared, and in the type of the console', async () => {
  const server = new URL('../../server/', import.meta.url);
  const contracts = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.contract.ts') && path !== 'api.contract.ts',
  );
  const modules = await Promise.all(
    contracts.map((path) => import(new URL(path, server).href) as Promise<Record<string, unknown>>),
  );
  const tables = modules.flatMap((module) => Object.entries(module)).filter(([name]) => name.endsWith('Api'));
  const listed = tables.flatMap(([, table]) =>
    Object.keys(typeof table === 'function' ? table([]) : (table as object)),
  );
  const declared = (await openFeatures()).flatMap(({ routes = [] }) =>
    routes.map(({ method, path }) => `${method} ${path}`),
  );
  expect(listed.filter((key) => !declared.includes(key))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  const collected = readFileSync(new URL('api.contract.ts', server), 'utf8');
  expect(tables.map(([name]) => name).filter((name) => !collected.includes(`typeof ${name}`))).toEqual([]);
});
