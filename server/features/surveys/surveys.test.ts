import { describe, expect, test } from 'vitest';
import { filtersOn } from '../../../test/support/app-flags.ts';
import {
  changeSurvey,
  createSurvey,
  errorOf,
  liveFlagKeys,
  NOW,
  OPEN,
  patchSurvey,
  postSurvey,
  SURVEYS,
} from '../../../test/support/app-surveys.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { surveyPage } from './surveys.contract.ts';

const UNKNOWN = '0190f0c1-0000-7000-8000-000000000001';
const PRO = filtersOn([{ key: 'plan', type: 'person', operator: 'exact', value: 'pro' }]);

describe('a survey', () => {
  test('is created, shown and listed with every field', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const made = await createSurvey(app, { description: 'for the team', appearance: { position: 'right' } });
    const key = `survey-targeting-${made.id}-custom`;
    expect(made).toMatchObject({
      name: 'Feedback',
      description: 'for the team',
      type: 'popover',
      schedule: 'once',
      linked_flag: null,
      linked_flag_id: null,
      targeting_flag: null,
      internal_targeting_flag: { key, active: false, deleted: false },
      questions: [{ ...OPEN, id: expect.stringMatching(/^[0-9a-f-]{36}$/) }],
      conditions: null,
      appearance: { position: 'right' },
      created_at: NOW,
      created_by: { id: owner.id },
      start_date: null,
      end_date: null,
      archived: false,
      responses_limit: null,
      iteration_start_dates: null,
      feature_flag_keys: [
        { key: 'linked_flag_key', value: null },
        { key: 'targeting_flag_key', value: null },
        { key: 'internal_targeting_flag_key', value: key },
      ],
      user_access_level: 'manager',
    });
    expect((await app.ask(`${SURVEYS}${made.id}`)).json).toEqual(made);
    const page = await app.ask('/api/environments/1/surveys/?search=FOR+the');
    expect(surveyPage.parse(page.json)).toEqual({ count: 1, next: null, previous: null, results: [made] });
    expect((await app.ask(`${SURVEYS}?search=nothing`)).json.count).toBe(0);
  });

  test('keeps omitted fields on PATCH, and the ids of its questions', async () => {
    const app = await openTestApp();
    const made = await createSurvey(app, { conditions: { url: '/shop', urlMatchType: 'icontains' } });
    const changed = await changeSurvey(app, made.id, {
      questions: [...made.questions, OPEN],
      responses_limit: '5',
    });
    expect(changed).toMatchObject({ conditions: made.conditions, responses_limit: 5, name: 'Feedback' });
    expect(changed.questions[0]).toEqual(made.questions[0]);
    expect(changed.questions[1]!['id']).not.toBe(made.questions[0]!['id']);
    const cleared = await changeSurvey(app, made.id, { conditions: null, responses_limit: null });
    expect(cleared).toMatchObject({ conditions: null, responses_limit: null });
  });

  test('is deleted permanently, with its flags', async () => {
    const app = await openTestApp();
    const { id } = await createSurvey(app, { targeting_flag_filters: PRO });
    expect(await liveFlagKeys(app)).toEqual([`survey-targeting-${id}`, `survey-targeting-${id}-custom`]);
    expect(await app.ask(`${SURVEYS}${id}/`, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect(await liveFlagKeys(app)).toEqual([]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect(errorOf(await app.ask(`${SURVEYS}${id}/`, { method }))).toMatchObject({
        status: 404,
        code: 'not_found',
      });
    await createSurvey(app);
  });

  test('of another project, or with an unknown id, is not found', async () => {
    const app = await openTestApp();
    for (const id of [UNKNOWN, 'x', '1'])
      expect(errorOf(await app.ask(`${SURVEYS}${id}/`))).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('needs the scope survey', async () => {
    const app = await openTestApp();
    const { json: key } = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes: ['survey:read'] },
    });
    const asked = { key: key.value as string };
    expect((await app.ask(SURVEYS, asked)).status).toBe(200);
    const body = { name: 'A', type: 'api', questions: [OPEN] };
    expect(errorOf(await app.ask(SURVEYS, { ...asked, method: 'POST', body }))).toMatchObject({
      status: 403,
      code: 'permission_denied',
    });
  });

  test('is logged when created, changed and deleted', async () => {
    const app = await openTestApp();
    const { id } = await createSurvey(app);
    await changeSurvey(app, id, { name: 'Better feedback', targeting_flag_filters: PRO });
    await changeSurvey(app, id, { name: 'Better feedback' });
    const history = await app.ask(`${SURVEYS}${id}/activity/`);
    expect(history.json.results).toMatchObject([
      {
        activity: 'updated',
        scope: 'Survey',
        detail: {
          name: 'Better feedback',
          changes: [
            { field: 'name', before: 'Feedback', after: 'Better feedback' },
            { field: 'targeting_flag_filters', before: null, action: 'created' },
          ],
        },
      },
      { activity: 'created', detail: { name: 'Feedback' } },
    ]);
    await app.ask(`${SURVEYS}${id}/`, { method: 'DELETE' });
    const [last] = (await app.ask('/api/projects/1/activity_log/?scope=Survey')).json.results;
    expect(last).toMatchObject({ activity: 'deleted', item_id: id });
  });

  test('is found by the search', async () => {
    const app = await openTestApp();
    const { id } = await createSurvey(app);
    const found = await app.ask('/api/projects/1/search/?q=feedback&entities=survey');
    expect(found.json.results).toMatchObject([{ type: 'survey', result_id: id }]);
  });
});

test.each([
  [{ type: 'popover', questions: [OPEN] }, 'required', 'name'],
  [{ name: 'A', questions: [OPEN] }, 'required', 'type'],
  [{ name: 'A', type: 'popover' }, 'required', 'questions'],
  [{ name: '', type: 'popover', questions: [OPEN] }, 'blank', 'name'],
  [{ name: 'A', type: 'email', questions: [OPEN] }, 'invalid_choice', 'type'],
  [{ name: 'A', type: 'popover', questions: [] }, 'invalid_input', 'questions'],
  [{ name: 'A', type: 'popover', questions: 'x' }, 'not_a_list', 'questions'],
  [{ name: 'A', type: 'popover', questions: [OPEN], schedule: 'daily' }, 'invalid_choice', 'schedule'],
  [{ name: 'A', type: 'popover', questions: [OPEN], appearance: [] }, 'not_a_dict', 'appearance'],
  [{ name: 'A', type: 'popover', questions: [OPEN], start_date: 'soon' }, 'invalid_input', 'start_date'],
  [
    { name: 'A', type: 'popover', questions: [OPEN], start_date: '2026-11-20', end_date: '2026-11-19' },
    'invalid_input',
    'end_date',
  ],
  [{ name: 'A', type: 'popover', questions: [OPEN], linked_flag_id: 77 }, 'does_not_exist', 'linked_flag_id'],
  [
    { name: 'A', type: 'popover', questions: [OPEN], linked_flag_id: 2 ** 40 },
    'does_not_exist',
    'linked_flag_id',
  ],
  [
    { name: 'A', type: 'popover', questions: [OPEN], conditions: { linkedFlagVariant: 'blue' } },
    'invalid_input',
    'conditions__linkedFlagVariant',
  ],
  [
    { name: 'A', type: 'popover', questions: [OPEN], conditions: { actions: { values: [{ id: 9 }] } } },
    'does_not_exist',
    'conditions__actions__values',
  ],
  [
    {
      name: 'A',
      type: 'popover',
      questions: [OPEN, { ...OPEN, descriptionContentType: 'html', description: '<script>' }],
    },
    'invalid_input',
    'questions__1__description',
  ],
  [
    {
      name: 'A',
      type: 'popover',
      questions: [
        {
          ...OPEN,
          descriptionContentType: 'html',
          translations: { de: { description: '<img src=x onerror=alert(1)>' } },
        },
      ],
    },
    'invalid_input',
    'questions__0__translations__de__description',
  ],
  [
    {
      name: 'A',
      type: 'popover',
      questions: [OPEN],
      appearance: {
        thankYouMessageDescription: '<iframe>',
        thankYouMessageDescriptionContentType: 'html',
      },
    },
    'invalid_input',
    'appearance__thankYouMessageDescription',
  ],
  [
    { name: 'A', type: 'popover', questions: [OPEN], targeting_flag_filters: { groups: [{}] } },
    'invalid',
    'targeting_flag_filters',
  ],
  [
    { name: 'A', type: 'popover', questions: [OPEN], targeting_flag_filters: { groups: [] } },
    'invalid_input',
    'targeting_flag_filters',
  ],
  [
    {
      name: 'A',
      type: 'popover',
      questions: [OPEN],
      targeting_flag_filters: filtersOn([{ key: 'id', type: 'cohort', operator: 'in', value: 99 }]),
    },
    'cohort_does_not_exist',
    'targeting_flag_filters',
  ],
])('%j is refused: %s of %s, and no survey is created', async (body, code, attr) => {
  const app = await openTestApp();
  const answer = await postSurvey(app, body);
  expect(errorOf(answer)).toEqual({ status: 400, type: 'validation_error', code, attr });
  expect([(await app.ask(SURVEYS)).json.count, await liveFlagKeys(app)]).toEqual([0, []]);
});

test('a name is unique', async () => {
  const app = await openTestApp();
  await createSurvey(app);
  const other = await createSurvey(app, { name: 'Other' });
  const answer = await patchSurvey(app, other.id, { name: 'Feedback' });
  expect(errorOf(answer)).toMatchObject({ code: 'unique', attr: 'name' });
  expect((await patchSurvey(app, other.id, { name: 'Other' })).status).toBe(200);
});
