import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { readRecording, replay, WIRE_PERSONAL_KEY, WIRE_TOKEN } from '../support/wire.ts';

interface Person {
  distinct_ids: string[];
  properties: Record<string, unknown>;
}

/** Recorded posthog-js requests, and a user whom they identify. */
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
