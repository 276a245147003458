import { beforeEach, describe, expect, test } from 'vitest';
import { iso } from '../../../test/support/app-events.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { shareTestApp, type TestApp } from '../../../test/support/test-app.ts';

const SURVEY = '018f0000-0000-7000-8000-000000000001';

const sharedApp = shareTestApp();
let app: TestApp;
let isFilled = false;

async function rowsOf(query: string): Promise<unknown> {
  const { status, json } = await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: { kind: 'HogQLQuery', query } },
  });
  return status === 200 ? json.results : json.detail;
}

async function makeAction(name: string, steps: object[]): Promise<number> {
  const { status, json } = await app.ask('/api/projects/1/actions/', {
    method: 'POST',
    body: { name, steps },
  });
  expect(status).toBe(201);
  return json.id;
}

/** A page of a submission as posthog-js sends it. */
const answer = (submission: string, seconds: number, properties: object) => ({
  event: 'survey sent',
  distinct_id: submission,
  timestamp: iso(seconds),
  properties: { $survey_id: SURVEY, $survey_submission_id: submission, ...properties },
});

beforeEach(async () => {
  app = await sharedApp();
  if (isFilled) return;
  isFilled = true;
  await sendEvents(app, [
    { event: 'signup', timestamp: iso(0), properties: { plan: 'pro' } },
    { event: 'signup', timestamp: iso(1), properties: { plan: 'free' } },
    { event: 'view', timestamp: iso(2), properties: { plan: 'pro' } },
    answer('one', 10, { $survey_response_q1: 'good' }),
    answer('one', 20, { $survey_response_q1: 'good', $survey_response_q2: 'because' }),
    answer('two', 15, { $survey_response: 'bad', $survey_response_1: '' }),
    { event: 'survey sent', timestamp: iso(16), properties: { $survey_id: SURVEY, $survey_response: 'old' } },
    {
      event: 'survey sent',
      timestamp: iso(17),
      properties: { $survey_id: 'another', $survey_response: 'no' },
    },
  ]);
});

describe('matchesAction', () => {
  test('matches the steps of an action, by its id or its name, in any condition or value', async () => {
    const id = await makeAction('Paid', [
      { event: 'signup', properties: [{ key: 'plan', type: 'event', value: 'pro', operator: 'exact' }] },
      { event: 'view' },
    ]);
    expect(await rowsOf(`select count() from events where matchesAction('Paid')`)).toEqual([[2]]);
    expect(await rowsOf(`select countIf(not matchesAction(${id})) from events`)).toEqual([[6]]);
    expect(
      await rowsOf(
        `select event, if(matchesaction('Paid'), 'yes', 'no') from events where event in ('signup', 'view') order by timestamp`,
      ),
    ).toEqual([
      ['signup', 'yes'],
      ['signup', 'no'],
      ['view', 'yes'],
    ]);
  });

  test('is refused for an unknown action, with the position', async () => {
    expect(await rowsOf(`select count() from events where matchesAction('Nobody')`)).toContain(
      'Line 1, column 48: Action "Nobody" does not exist in this project.',
    );
    expect(await rowsOf('select matchesAction(event) from events')).toContain('must be a constant');
    expect(await rowsOf('select matchesAction(1, 2) from events')).toContain('requires 1 argument, found 2');
  });
});

test('a step of an action may use HogQL and session filters, but not another action', async () => {
  await makeAction('Long', [
    { event: 'signup', properties: [{ key: 'length(properties.plan) = 3', type: 'hogql' }] },
    {
      event: 'view',
      properties: [{ key: '$session_duration', type: 'session', value: 0, operator: 'gte' }],
    },
  ]);
  expect(await rowsOf(`select event from events where matchesAction('Long')`)).toEqual([['signup']]);
  await makeAction('Itself', [
    { event: 'view', properties: [{ key: `matchesAction('Itself')`, type: 'hogql' }] },
  ]);
  expect(await rowsOf(`select count() from events where matchesAction('Itself')`)).toContain(
    'Action steps cannot reference other actions.',
  );
  const id = await makeAction('Again', []);
  await app.ask(`/api/projects/1/actions/${id}/`, {
    method: 'PATCH',
    body: { steps: [{ event: 'view', properties: [{ type: 'action', key: 'id', value: id }] }] },
  });
  expect(await rowsOf(`select count() from events where matchesAction(${id})`)).toContain(
    'Action steps cannot reference other actions.',
  );
});

describe('surveys', () => {
  test('a response is found by the id of its question, else by its index', async () => {
    const query = `select getSurveyResponse(0, 'q1'), getSurveyResponse(1, 'q2') from events
      where event = 'survey sent' and properties.$survey_id = '${SURVEY}' order by timestamp`;
    expect(await rowsOf(query)).toEqual([
      ['good', null],
      ['bad', null],
      ['old', null],
      ['good', 'because'],
    ]);
  });

  test('of a submission in several pages the last one is used, within the given date range', async () => {
    const query = (bounds: string): string => `select getSurveyResponse(0, 'q1') from events
      where uniqueSurveySubmissionsFilter('${SURVEY}'${bounds}) order by timestamp`;
    expect(await rowsOf(query(''))).toEqual([['bad'], ['old'], ['good']]);
    expect(await rowsOf(query(`, toDateTime('${iso(16)}'), toDateTime('${iso(30)}')`))).toEqual([
      ['old'],
      ['good'],
    ]);
  });
});
