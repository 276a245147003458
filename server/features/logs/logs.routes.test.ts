import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { findTestProject, servePublic } from '../../../test/support/serve-public.ts';
import { createLogs } from './index.ts';

const routes = createLogs({ findProject: findTestProject, maxBodyBytes: 1_000 }).publicRoutes!;

function send(url: string, query: string, body: string | Buffer): Promise<Response> {
  return fetch(`${url}/i/v1/logs${query}`, {
    method: 'POST',
    headers: { Origin: 'http://shop.example', 'Content-Type': 'text/plain' },
    body: body as string,
  });
}

test('logs are answered as posthog-js wants, readable for a page of another origin', async () => {
  const url = await servePublic(routes);
  const answer = await send(url, '?token=phc_shop', gzipSync('{"resourceLogs":[]}'));
  expect([answer.status, await answer.text()]).toEqual([200, '{}']);
  expect(answer.headers.get('access-control-allow-origin')).toBe('http://shop.example');
});

test.each([
  ['', 'missing_api_key'],
  ['?token=phc_other', 'invalid_api_key'],
])('logs with the query "%s" are 401 %s', async (query, code) => {
  const url = await servePublic(routes);
  const answer = await send(url, query, '{}');
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code });
});

test('logs beyond the size of a request are 413', async () => {
  const url = await servePublic(routes);
  expect((await send(url, '?token=phc_shop', 'x'.repeat(1_001))).status).toBe(413);
});
