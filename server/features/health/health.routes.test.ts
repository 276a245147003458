import { describe, expect, test } from 'vitest';
import type { Notice } from '../../lib/notices.ts';
import { servePublic } from '../../../test/support/serve-public.ts';
import { healthRoutes } from './health.routes.ts';

describe('2.2/probes health checks', () => {
  test.each(['/_liveness', '/_liveness/', '/_readiness', '/_readiness/'])(
    'GET %s is 200, and not cacheable',
    async (path) => {
      const url = await servePublic(healthRoutes({ isReady: () => true, notices: { refusal: () => null } }));
      const answer = await fetch(url + path);
      expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  test('a server that does not accept events is live, and not ready', async () => {
    const url = await servePublic(healthRoutes({ isReady: () => false, notices: { refusal: () => null } }));
    expect((await fetch(`${url}/_liveness`)).status).toBe(200);
    const answer = await fetch(`${url}/_readiness`);
    expect([answer.status, await answer.json()]).toEqual([503, { status: 'unavailable' }]);
  });

  test('a server that refuses events returns the reason', async () => {
    const refusal = { title: 'The disk is full' } as Notice;
    const url = await servePublic(healthRoutes({ isReady: () => true, notices: { refusal: () => refusal } }));
    const answer = await fetch(`${url}/_readiness`);
    expect([answer.status, await answer.json()]).toEqual([
      503,
      { status: 'unavailable', reason: 'The disk is full' },
    ]);
  });
});
