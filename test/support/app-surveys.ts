import { expect } from 'vitest';
import {
  publicSurveys,
  survey,
  type PublicSurvey,
  type SurveyJson,
} from '../../server/features/surveys/surveys.contract.ts';
import { TEST_TOKEN, type TestApp, type TestResponse } from './test-app.ts';

/** Where the surveys of project 1 are. */
export const SURVEYS = '/api/projects/1/surveys/';
/** When the clock of a test's app begins. */
export const NOW = '2026-11-20T09:30:00.000000Z';
/** A question. */
export const OPEN = { type: 'open', question: 'What could we do better?' };

export const postSurvey = (app: TestApp, body: unknown): Promise<TestResponse> =>
  app.ask(SURVEYS, { method: 'POST', body });

export const patchSurvey = (app: TestApp, id: string, body: unknown): Promise<TestResponse> =>
  app.ask(`${SURVEYS}${id}/`, { method: 'PATCH', body });

/** Creates a survey with one question; throws unless it is created. */
export async function createSurvey(app: TestApp, body: object = {}): Promise<SurveyJson> {
  const answer = await postSurvey(app, { name: 'Feedback', type: 'popover', questions: [OPEN], ...body });
  expect(answer.status, answer.text).toBe(201);
  return survey.parse(answer.json);
}

/** Changes one; fails unless it is changed. */
export async function changeSurvey(app: TestApp, id: string, body: object): Promise<SurveyJson> {
  const answer = await patchSurvey(app, id, body);
  expect(answer.status, answer.text).toBe(200);
  return survey.parse(answer.json);
}

/** The surveys that pages currently get. */
export async function shownSurveys(app: TestApp): Promise<PublicSurvey[]> {
  const answer = await app.ask(`/api/surveys/?token=${TEST_TOKEN}`, { key: null });
  expect(answer.status).toBe(200);
  return publicSurveys.strict().parse(answer.json).surveys;
}

/** Keys of live flags; the list of flags leaves out those of surveys. */
export async function liveFlagKeys(app: TestApp): Promise<string[]> {
  const rows = await app.store.db.all<{ key: string }>(
    'SELECT key FROM feature_flags WHERE NOT deleted ORDER BY key',
  );
  return rows.map(({ key }) => key);
}

/** What an answer holds that refuses. */
export function errorOf({ status, json }: { status: number; json: any }) {
  return { status, type: json.type, code: json.code, attr: json.attr };
}
