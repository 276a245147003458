import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { readRecording, replay, wireEvents, WIRE_PERSONAL_KEY, WIRE_TOKEN } from '../support/wire.ts';

interface Person {
  distinct_ids: string[];
  properties: Record<string, unknown>;
}

/** Recorded posthog-js requests, and the user they identify. */
const RECORDINGS = ['js-1.449.2-default.jsonl', 'js-1.24.0-decide-gzip-lz64.jsonl'];

describe.each(RECORDINGS)('A-2 persons of %s', (recording) => {
  let server: RunningServer;
  let person: Person;

  async function ask(path: string, body?: object): Promise<any> {
    const answer = await fetch(`${server.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${WIRE_PERSONAL_KEY}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.ok, `${path} ${answer.status}`).toBe(true);
    return answer.json();
  }

  beforeAll(async () => {
    server = await startServer({
      env: { BURROW_PROJECT_API_KEY: WIRE_TOKEN, BURROW_PERSONAL_API_KEY: WIRE_PERSONAL_KEY },
    });
    for (const recorded of readRecording(recording)) await replay(server.url, recorded);
    const { results } = (await ask('/api/projects/@current/persons/')) as { results: Person[] };
    person = results.find(({ properties }) => properties['$browser'] !== undefined)!;
  });
  afterAll(() => server?.stop());

  test('A-2 they have browser, system, page and campaign, the latest and the first', () => {
    expect(person?.properties).toMatchObject({
      $browser: 'Chrome',
      $initial_browser: 'Chrome',
      $os: expect.any(String) as string,
      $initial_os: expect.any(String) as string,
      $current_url: expect.stringMatching(/^http/) as string,
      $initial_current_url: expect.stringMatching(/^http/) as string,
    });
    expect(person.properties).not.toHaveProperty('$os_name');
  });

  test('A-2 cohorts, breakdowns and flags on them find the persons', async () => {
    const properties = [{ key: '$initial_browser', type: 'person', value: 'Chrome', operator: 'exact' }];
    const cohort = await ask('/api/projects/@current/cohorts/', {
      name: 'Chrome',
      filters: { properties: { type: 'OR', values: [{ type: 'AND', values: properties }] } },
    });
    const members = await ask(`/api/projects/@current/cohorts/${cohort.id}/persons/`);
    expect(members.results.length).toBeGreaterThan(0);

    const trends = await ask('/api/projects/@current/query/', {
      query: {
        kind: 'TrendsQuery',
        dateRange: { date_from: 'all' },
        series: [{ kind: 'EventsNode', event: null }],
        breakdownFilter: { breakdown: '$browser', breakdown_type: 'person' },
      },
    });
    expect(trends.results.map((row: { breakdown_value: unknown }) => row.breakdown_value)).toContainEqual(
      expect.stringMatching(/Chrome/),
    );

    await ask('/api/projects/@current/feature_flags/', {
      key: 'on-chrome',
      active: true,
      filters: { groups: [{ properties, rollout_percentage: 100 }] },
    });
    const flags = await ask('/flags/?v=2', { token: WIRE_TOKEN, distinct_id: person.distinct_ids[0] });
    expect(flags.flags['on-chrome'].enabled).toBe(true);
  });
});

/** The recorded page view of a visitor who came by a campaign, as the SDK sends it of an identified person. */
function campaignView(): Record<string, unknown> {
  const recorded = readRecording('js-1.449.2-default.jsonl').flatMap((one) => wireEvents(one));
  const view = recorded.find(
    ({ event, properties }) => event === '$pageview' && properties['utm_source'] === 'x',
  )!;
  const ad = { utm_medium: 'cpc', utm_campaign: 'launch', $process_person_profile: true };
  return { ...view.properties, ...ad };
}

describe('A-2 a campaign of a recorded posthog-js page view', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({
      env: { BURROW_PROJECT_API_KEY: WIRE_TOKEN, BURROW_PERSONAL_API_KEY: WIRE_PERSONAL_KEY },
    });
  });
  afterAll(() => server?.stop());

  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  type View = { event: string; distinct_id: string; properties: Record<string, unknown> };
  const DOORS: Record<string, (event: View) => Promise<Response>> = {
    'capture v0': (event) => post('/i/v0/e/', { api_key: WIRE_TOKEN, batch: [event] }),
    '/e/': (event) => post('/e/', { api_key: WIRE_TOKEN, ...event }),
    'an import': (event) =>
      post('/batch/', {
        api_key: WIRE_TOKEN,
        historical_migration: true,
        batch: [{ ...event, timestamp: '2025-03-01T10:00:00Z' }],
      }),
    'capture v1': (event) =>
      post(
        '/i/v1/analytics/events',
        {
          created_at: '2026-11-20T09:30:00.000Z',
          batch: [{ ...event, uuid: crypto.randomUUID(), timestamp: '2026-11-20T09:30:00.000Z' }],
        },
        {
          Authorization: `Bearer ${WIRE_TOKEN}`,
          'PostHog-Sdk-Info': 'posthog-js/1.449.2',
          'PostHog-Attempt': '1',
          'PostHog-Request-Id': crypto.randomUUID(),
          'PostHog-Request-Timestamp': '2026-11-20T09:30:00.000Z',
        },
      ),
  };

  test.each(Object.keys(DOORS))('A-2 %s: the person has it, the latest and the first', async (door) => {
    const id = `visitor ${door}`;
    const { distinct_id: _, ...properties } = campaignView();
    const later = {
      ...properties,
      utm_source: 'newsletter',
      utm_medium: null,
      $browser: 'Firefox',
      $referring_domain: 'mail.example',
    };
    for (const sent of [properties, later]) {
      const answer = await DOORS[door]!({ event: '$pageview', distinct_id: id, properties: sent });
      expect(answer.status, await answer.text()).toBe(200);
    }
    const found = await fetch(
      `${server.url}/api/projects/@current/persons/?distinct_id=${encodeURIComponent(id)}`,
      { headers: { Authorization: `Bearer ${WIRE_PERSONAL_KEY}` } },
    );
    const { results } = (await found.json()) as { results: Person[] };
    expect(results).toHaveLength(1);
    expect(results[0]!.properties).toMatchObject({
      utm_source: 'newsletter',
      $initial_utm_source: 'x',
      utm_medium: null,
      $initial_utm_medium: 'cpc',
      utm_campaign: 'launch',
      $initial_utm_campaign: 'launch',
      $browser: 'Firefox',
      $initial_browser: 'Chrome',
      $os: 'Linux',
      $initial_os: 'Linux',
      $device_type: 'Desktop',
      $initial_device_type: 'Desktop',
      $referring_domain: 'mail.example',
      $initial_referring_domain: '$direct',
      $referrer: '$direct',
      $initial_referrer: '$direct',
      $initial_pathname: '/page2',
      $initial_current_url: expect.stringContaining('/page2') as string,
    });
    expect(results[0]!.properties).not.toHaveProperty('$initial_utm_content');
  });
});
