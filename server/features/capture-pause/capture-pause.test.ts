import { describe, expect, test } from 'vitest';
import { EVENTS, send } from '../../../test/support/app-events.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const CAPTURE = '/api/burrow/capture/';

function pause(app: TestApp, body: object = { is_paused: true }) {
  return app.ask(CAPTURE, { method: 'PUT', body });
}

async function storedNames(app: TestApp): Promise<string[]> {
  const { json } = await app.ask(EVENTS);
  return (json as { results: { event: string }[] }).results.map(({ event }) => event);
}

describe('A-13 while capture is paused', () => {
  test('events are answered as accepted, not stored, and counted as paused', async () => {
    const app = await openTestApp();
    await send(app, [{ event: 'before' }]);
    expect((await pause(app)).json).toEqual({ is_paused: true, until: null });
    const answer = await app.ask('/capture/', {
      method: 'POST',
      key: null,
      body: { api_key: TEST_TOKEN, event: 'meanwhile', distinct_id: 'ann', properties: { $lib: 'web' } },
    });
    expect([answer.status, answer.json]).toEqual([200, { status: 1 }]);
    await pause(app, { is_paused: false });
    await send(app, [{ event: 'after' }]);

    expect(await storedNames(app)).toEqual(['after', 'before']);
    const { json } = await app.ask('/api/projects/@current/burrow/ingestion/');
    expect(json).toMatchObject({
      received: 3,
      stored: 2,
      dropped: 1,
      dropped_by_reason: [{ reason: 'paused', lib: 'web', count: 1, sample_event: 'meanwhile' }],
    });
  });

  test('a banner says so, and readiness stays', async () => {
    const app = await openTestApp();
    await pause(app, { is_paused: true, minutes: 30 });
    const { json } = await app.ask('/api/burrow/notices/');
    expect(json).toMatchObject({
      results: [
        {
          id: 'capture_paused',
          level: 'warning',
          title: 'Capture is paused',
          text: 'Events are answered as accepted and not stored until 2026-11-20 10:00 UTC.',
          page: 'ingestion',
        },
      ],
    });
    expect((await app.ask('/_readiness', { key: null })).status).toBe(200);
    await pause(app, { is_paused: false });
    expect((await app.ask('/api/burrow/notices/')).json).toEqual({ results: [] });
  });

  test('an event that would be dropped anyway is reported with its own reason', async () => {
    const app = await openTestApp();
    await pause(app);
    await app.ask('/batch/', {
      method: 'POST',
      key: null,
      body: { api_key: TEST_TOKEN, batch: [{ event: 'seen', distinct_id: 'ann' }, { event: 'seen' }] },
    });
    const { json } = await app.ask('/api/projects/@current/burrow/ingestion/');
    expect(json).toMatchObject({
      dropped: 2,
      dropped_by_reason: expect.arrayContaining([
        expect.objectContaining({ reason: 'paused', count: 1 }),
        expect.objectContaining({ reason: 'missing_distinct_id', count: 1 }),
      ]),
    });
  });

  test('capture v1 says of each event that it was dropped', async () => {
    const app = await openTestApp();
    await pause(app);
    const uuid = '0191d592-35e1-7000-8000-000000000001';
    const answer = await app.ask('/i/v1/analytics/events', {
      method: 'POST',
      key: TEST_TOKEN,
      headers: {
        'PostHog-Sdk-Info': 'posthog-node/5.0.0',
        'PostHog-Attempt': '1',
        'PostHog-Request-Id': uuid,
        'PostHog-Request-Timestamp': '2026-11-20T09:30:00Z',
        'User-Agent': 'posthog-node/5.0.0',
      },
      body: {
        created_at: '2026-11-20T09:30:00Z',
        batch: [{ uuid, event: 'seen', distinct_id: 'ann', timestamp: '2026-11-20T09:30:00Z' }],
      },
    });
    expect(answer.status, answer.text).toBe(200);
    expect((answer.json as { results: object }).results).toEqual({
      [uuid]: { result: 'drop', details: 'paused' },
    });
  });

  test('thousands of events in one request are counted', async () => {
    const app = await openTestApp();
    await pause(app);
    const batch = Array.from({ length: 12_000 }, () => ({ event: 'many', distinct_id: 'ann' }));
    await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
    const { json } = await app.ask('/api/projects/@current/burrow/ingestion/');
    expect(json).toMatchObject({ received: 12_000, stored: 0, dropped: 12_000 });
    expect(await storedNames(app)).toEqual([]);
  });
});

describe('a pause', () => {
  test('ends by itself after its minutes', async () => {
    const app = await openTestApp();
    expect((await pause(app, { is_paused: true, minutes: 1 })).json).toEqual({
      is_paused: true,
      until: '2026-11-20T09:31:00.000Z',
    });
    app.clock.now += 60_000;
    await expect.poll(async () => (await app.ask(CAPTURE)).json).toEqual({ is_paused: false, until: null });
  });

  test.each([0, 10_081, 1.5, '5'])('of %j minutes is refused', async (minutes) => {
    const app = await openTestApp();
    expect((await pause(app, { is_paused: true, minutes })).status).toBe(400);
    expect((await app.ask(CAPTURE)).json).toEqual({ is_paused: false, until: null });
  });

  test('is seen by members, who cannot set it', async () => {
    const app = await openTestApp();
    const member = await addMember(app, 'ann@example.com');
    expect((await member.ask(CAPTURE)).json).toEqual({ is_paused: false, until: null });
    expect((await member.ask(CAPTURE, { method: 'PUT', body: { is_paused: true } })).status).toBe(403);
  });
});
