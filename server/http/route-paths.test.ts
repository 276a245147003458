import { expect, test } from 'vitest';
import { defineRoute, noResource, type ManagementRoute, type Method } from './define-route.ts';
import { allowedMethods, pathsByResource, pathsOf, resourceOf } from './route-paths.ts';

function route(method: Method, path: string): ManagementRoute {
  return defineRoute({
    method,
    path,
    auth: 'key',
    scope: noResource('A test.'),
    summary: '',
    response: null,
    handle: () => null,
  });
}

test('P/ expands to both families', () => {
  expect(
    pathsOf([route('GET', 'P/'), route('GET', 'P/events/:id/')])
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual([
    '/api/environments/:project_id',
    '/api/environments/:project_id/events/:id',
    '/api/projects/:project_id',
    '/api/projects/:project_id/events/:id',
  ]);
});

test('a fixed segment comes before a parameter in the same place, in any order of the table', () => {
  const paths = pathsOf([
    route('GET', '/api/keys/:id/'),
    route('GET', '/api/keys/@current/'),
    route('GET', '/api/keys/zebra/'),
    route('GET', '/api/:things/zebra/'),
  ]).map(({ path }) => path);
  expect(paths).toEqual(['/api/keys/@current', '/api/keys/zebra', '/api/keys/:id', '/api/:things/zebra']);
});

test('Allow names every method of the path, HEAD with GET', () => {
  const [both, post] = pathsOf([route('GET', '/api/a/'), route('POST', '/api/a/'), route('POST', '/api/b/')]);
  expect(allowedMethods(both!)).toBe('GET, POST, HEAD, OPTIONS');
  expect(allowedMethods(post!)).toBe('POST, OPTIONS');
});

test('a duplicate method is an error', () => {
  expect(() => pathsOf([route('GET', 'P/a/'), route('GET', '/api/projects/:project_id/a/')])).toThrow(
    'twice',
  );
});

test('paths are found by their resource, fixed segments before parameters', () => {
  const resources = pathsByResource([
    route('GET', 'P/'),
    route('GET', 'P/events/:id/'),
    route('GET', 'P/events/values/'),
    route('GET', '/api/keys/:id/'),
    route('GET', '/api/keys/@current/'),
    route('GET', '/api/keys/1/:part/'),
  ]);
  const found = (request: string) => resources.get(resourceOf(request))?.map(({ path }) => path);
  expect(found('/api/projects/1/')).toEqual(['/api/projects/:project_id']);
  expect(found('/api/projects/@current/events/0190')).toEqual([
    '/api/projects/:project_id/events/values',
    '/api/projects/:project_id/events/:id',
  ]);
  expect(found('/api/keys/@current')).toEqual(['/api/keys/1/:part', '/api/keys/@current', '/api/keys/:id']);
  for (const request of ['/', '/api', '/api/projects/1/constructor/', '/api/:id/1/:part'])
    expect(found(request)).toBeUndefined();
});

test('a path without distinguishing segments is an error', () => {
  for (const path of ['/api/:things/1/zebra/', 'P/:part/'])
    expect(() => pathsByResource([route('GET', path)])).toThrow('no words that tell it from others');
});
