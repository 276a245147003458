import { PostHog } from 'posthog-node';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createFlag, filtersOn } from '../support/app-flags.ts';
import { shareTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

// New York is at UTC-5, and at UTC-4 from 8 March 2026, 02:00, to 1 November, 02:00.
const NEW_YORK = 'America/New_York';

/** Stored dates by the distinct id of their person, and the moment that each is in New York. */
const STORED: Readonly<Record<string, readonly [stored: string | number, moment: string]>> = {
  a: ['2026-03-07T23:59:59', '2026-03-08T04:59:59.000Z'],
  b: ['2026-03-08', '2026-03-08T05:00:00.000Z'],
  // Skipped by the clocks: as long after the change.
  c: ['2026-03-08 02:30', '2026-03-08T07:30:00.000Z'],
  d: ['2026-03-08T23:59:59.999', '2026-03-09T03:59:59.999Z'],
  e: ['2026-03-09', '2026-03-09T04:00:00.000Z'],
  f: ['2026-03-08T04:30:00Z', '2026-03-08T04:30:00.000Z'],
  g: [1_772_946_000, '2026-03-08T05:00:00.000Z'],
  h: ['2026-11-01T00:00:00-04:00', '2026-11-01T04:00:00.000Z'],
  // Shown twice by the clocks: the first time.
  i: ['2026-11-01 01:30', '2026-11-01T05:30:00.000Z'],
  j: ['2026-11-01T23:30:00', '2026-11-02T04:30:00.000Z'],
  k: ['2026-11-02', '2026-11-02T05:00:00.000Z'],
  l: ['2026-10-20T09:00:00Z', '2026-10-20T09:00:00.000Z'],
  m: ['2026-03-08T06:00:00Z', '2026-03-08T06:00:00.000Z'],
};
const LETTERS = Object.keys(STORED);

interface Condition {
  readonly operator: string;
  readonly value: string;
  readonly from?: string;
  readonly to?: string;
}

/** Conditions, and from which moment to before which other one they hold. */
const CONDITIONS: readonly Condition[] = [
  { operator: 'is_date_exact', value: '2026-03-08', from: '2026-03-08T05:00Z', to: '2026-03-09T04:00Z' },
  { operator: 'is_date_exact', value: '2026-11-01', from: '2026-11-01T04:00Z', to: '2026-11-02T05:00Z' },
  {
    operator: 'is_date_exact',
    value: '2026-03-08 00:00',
    from: '2026-03-08T05:00:00Z',
    to: '2026-03-08T05:00:00.001Z',
  },
  { operator: 'is_date_after', value: '2026-03-08', from: '2026-03-08T05:00:00.001Z' },
  { operator: 'is_date_before', value: '2026-03-08', to: '2026-03-08T05:00Z' },
  { operator: 'is_date_before', value: '2026-03-09', to: '2026-03-09T04:00Z' },
  { operator: 'is_date_before', value: '2026-11-01 01:30', to: '2026-11-01T05:30Z' },
  { operator: 'is_date_before', value: '2026-03-08T05:00:00Z', to: '2026-03-08T05:00Z' },
  { operator: 'is_date_after', value: '2026-11-01T01:29:59', from: '2026-11-01T05:30Z' },
  { operator: 'is_date_after', value: '2026-03-08T02:29:59', from: '2026-03-08T07:30Z' },
  // From 04:30 in winter to 04:30 in summer.
  { operator: 'is_date_after', value: '-1m', from: '2026-10-20T08:30:00.001Z' },
];
const NAMES = CONDITIONS.map(({ operator, value }) => `${operator} ${value}`);

function expectedOf({ from, to }: Condition): string {
  return LETTERS.filter((letter) => {
    const moment = Date.parse(STORED[letter]![1]);
    return (
      (from === undefined || moment >= Date.parse(from)) && (to === undefined || moment < Date.parse(to))
    );
  }).join('');
}
const EXPECTED = Object.fromEntries(CONDITIONS.map((condition, at) => [NAMES[at]!, expectedOf(condition)]));

const app = shareTestApp();

const propertyOf = ({ operator, value }: Condition, type: string) => ({ key: 'day', type, operator, value });

async function made(path: string, body: object): Promise<number> {
  const answer = await (await app()).ask(path, { method: 'POST', body });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.id;
}

async function setZone(server: TestApp, timezone: string): Promise<void> {
  const answer = await server.ask('/api/projects/1/', { method: 'PATCH', body: { timezone } });
  expect(answer.status).toBe(200);
}

beforeAll(async () => {
  const server = await app.forAll();
  await setZone(server, NEW_YORK);
  const batch = LETTERS.map((letter) => {
    const [day] = STORED[letter]!;
    const properties = { day, $set: { day } };
    return { event: 'probe', distinct_id: letter, timestamp: '2026-11-19T12:00:00Z', properties };
  });
  const sent = await server.ask('/batch/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, batch },
  });
  expect(sent.status).toBe(200);
});

/** For each condition the persons that a question finds. */
async function askEach(ask: (condition: Condition, at: number) => Promise<readonly string[]>) {
  const found: Record<string, string> = {};
  for (const [at, condition] of CONDITIONS.entries())
    found[NAMES[at]!] = [...(await ask(condition, at))].toSorted().join('');
  return found;
}

async function query(body: object): Promise<any> {
  const answer = await (
    await app()
  ).ask('/api/projects/1/query/', { method: 'POST', body: { query: body, refresh: 'force_blocking' } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.results;
}

/** The keys of the flags that are on for each person. */
async function flagsOn(prefix: string) {
  const server = await app();
  const on: string[][] = CONDITIONS.map(() => []);
  for (const letter of LETTERS) {
    const body = { api_key: TEST_TOKEN, distinct_id: letter };
    const { flags } = (await server.ask('/flags/?v=2', { method: 'POST', key: null, body })).json;
    for (const at of CONDITIONS.keys()) if (flags[`${prefix}${at}`].enabled === true) on[at]!.push(letter);
  }
  return askEach(async (_, at) => on[at]!);
}

describe('A-9 a date without a time zone is in the time zone of the project', () => {
  test('P-7 the conditions tell the days apart', () => {
    // Two name the same moment, one of them with an offset.
    expect(new Set(Object.values(EXPECTED)).size).toBe(CONDITIONS.length - 1);
    expect(EXPECTED['is_date_exact 2026-03-08']).toBe('bcdgm');
    expect(EXPECTED['is_date_exact 2026-11-01']).toBe('hij');
    expect(EXPECTED['is_date_before 2026-03-08']).toBe('af');
  });

  test('P-7 in flags, and in what a simulation says of them', async () => {
    const server = await app();
    for (const [at, condition] of CONDITIONS.entries())
      await createFlag(server, `own${at}`, { filters: filtersOn([propertyOf(condition, 'person')]) });
    expect(await flagsOn('own')).toEqual(EXPECTED);
    for (const [at, condition] of CONDITIONS.entries()) {
      const body = { condition: { properties: [propertyOf(condition, 'person')] } };
      const path = '/api/projects/1/feature_flags/user_blast_radius/';
      const { json } = await server.ask(path, { method: 'POST', body });
      expect(json.users_affected, NAMES[at]).toBe(EXPECTED[NAMES[at]!]!.length);
    }
  });

  test('P-7 in cohorts: their lists, their counts, and flags and lists that name them', async () => {
    const server = await app();
    const ids: number[] = [];
    for (const [at, condition] of CONDITIONS.entries()) {
      const values = [propertyOf(condition, 'person')];
      const properties = { type: 'OR', values: [{ type: 'AND', values }] };
      ids.push(await made('/api/projects/1/cohorts/', { name: `Cohort ${at}`, filters: { properties } }));
      const inCohort = { key: 'id', type: 'cohort', operator: 'in', value: ids[at] };
      await createFlag(server, `cohort${at}`, { filters: filtersOn([inCohort]) });
    }
    const lists = await askEach(async (_, at) => {
      const { json } = await server.ask(`/api/projects/1/cohorts/${ids[at]}/persons/?limit=100`);
      return json.results.map((person: any) => person.distinct_ids[0]);
    });
    expect(lists).toEqual(EXPECTED);
    const counts = await askEach(async (_, at) => {
      const { json } = await server.ask(`/api/projects/1/cohorts/${ids[at]}/`);
      return [String(json.count)];
    });
    expect(counts).toEqual(Object.fromEntries(NAMES.map((name) => [name, String(EXPECTED[name]!.length)])));
    expect(await flagsOn('cohort')).toEqual(EXPECTED);
    const events = await askEach(async (_, at) =>
      (
        await query({
          kind: 'HogQLQuery',
          query: `SELECT distinct_id FROM events WHERE person_id IN COHORT ${ids[at]}`,
        })
      ).flat(),
    );
    expect(events).toEqual(EXPECTED);
  });

  test('P-7 in the lists of persons and of events', async () => {
    const server = await app();
    const listed = async (noun: string, condition: Condition, type: string) => {
      const filter = encodeURIComponent(JSON.stringify([propertyOf(condition, type)]));
      const answer = await server.ask(`/api/projects/1/${noun}/?limit=100&properties=${filter}`);
      return answer.json.results;
    };
    const persons = await askEach(async (condition) =>
      (await listed('persons', condition, 'person')).map((person: any) => person.distinct_ids[0]),
    );
    expect(persons).toEqual(EXPECTED);
    for (const type of ['event', 'person']) {
      const events = await askEach(async (condition) =>
        (await listed('events', condition, type)).map((event: any) => event.distinct_id),
      );
      expect(events).toEqual(EXPECTED);
    }
  });

  test('P-7 in queries and insights', async () => {
    for (const type of ['event', 'person']) {
      const events = await askEach(async (condition) => {
        const properties = [propertyOf(condition, type)];
        return (await query({ kind: 'EventsQuery', select: ['distinct_id'], properties })).flat();
      });
      expect(events).toEqual(EXPECTED);
      const filtered = await askEach(async (condition) => {
        const filters = { properties: [propertyOf(condition, type)] };
        const text = 'SELECT distinct_id FROM events WHERE {filters}';
        return (await query({ kind: 'HogQLQuery', query: text, filters })).flat();
      });
      expect(filtered).toEqual(EXPECTED);
      const counts = await askEach(async (condition) => {
        const series = [{ kind: 'EventsNode', event: 'probe', properties: [propertyOf(condition, type)] }];
        const [{ count }] = await query({ kind: 'TrendsQuery', series, dateRange: { date_from: '-7d' } });
        return [String(count)];
      });
      expect(counts).toEqual(Object.fromEntries(NAMES.map((name) => [name, String(EXPECTED[name]!.length)])));
    }
    const actors = await askEach(async (condition) => {
      const properties = [propertyOf(condition, 'person')];
      const select = ['properties.day', 'distinct_ids'];
      const rows = await query({ kind: 'ActorsQuery', select: select.slice(0, 1), properties, limit: 100 });
      return rows.map(([day]: [unknown]) =>
        LETTERS.find((letter) => String(STORED[letter]![0]) === String(day)),
      );
    });
    expect(actors).toEqual(EXPECTED);
  });

  describe('P-7 when posthog-node evaluates by itself', () => {
    let client: PostHog;
    beforeAll(async () => {
      vi.spyOn(console, 'warn').mockReturnValue();
      const { url } = await app.forAll();
      client = new PostHog(TEST_TOKEN, {
        host: url,
        personalApiKey: TEST_KEY,
        featureFlagsPollingInterval: 3_600_000,
      });
      expect(await client.waitForLocalEvaluationReady()).toBe(true);
    });
    afterAll(async () => {
      await client.shutdown();
      vi.restoreAllMocks();
    });

    // It has no is_date_exact, its own clock for spans, and reads dates of properties without a time zone as UTC.
    test.each(['own', 'cohort'])(
      'P-7 moments are compared with the days of the project: flags %s',
      async (prefix) => {
        const on: string[][] = CONDITIONS.map(() => []);
        const decided = new Set<number>();
        for (const letter of LETTERS) {
          const flags = await client.getAllFlags(letter, {
            onlyEvaluateLocally: true,
            personProperties: { day: STORED[letter]![1] },
          });
          for (const at of CONDITIONS.keys()) {
            const value = flags[`${prefix}${at}`];
            if (value !== undefined) decided.add(at);
            if (value === true) on[at]!.push(letter);
          }
        }
        const compared = CONDITIONS.flatMap(({ operator, value }, at) =>
          operator === 'is_date_exact' || value.startsWith('-') ? [] : [at],
        );
        expect([...decided]).toEqual(expect.arrayContaining(compared));
        for (const at of compared) expect(on[at]!.join(''), NAMES[at]).toBe(EXPECTED[NAMES[at]!]);
      },
    );
  });

  test('P-7 when the project gets another time zone, flags and cohorts follow immediately', async () => {
    const server = await app();
    await setZone(server, 'UTC');
    // 8 March in UTC: what was there without a time zone, and the moments of that day.
    const day = await flagsOn('own');
    expect(day['is_date_exact 2026-03-08']).toBe('bcdfgm');
    expect(await flagsOn('cohort')).toEqual(day);
    const { json } = await server.ask('/api/projects/1/cohorts/?limit=100');
    const [first] = json.results.filter(({ name }: { name: string }) => name === 'Cohort 0');
    expect(first.count).toBe(6);
    await setZone(server, NEW_YORK);
    expect(await flagsOn('own')).toEqual(EXPECTED);
  });
});
