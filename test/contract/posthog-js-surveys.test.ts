// @module-tag browser
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { waitForEvent } from '../support/list-events.ts';
import { getPerson } from '../support/list-persons.ts';
import { managementClient } from '../support/management-client.ts';
import { pathsOf, sdkSnippet, visit, type PostHogInPage, type Visit } from '../support/sdk-page.ts';
import { makeShopFlags, SHOP_FLAGS } from '../support/shop-flags.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

declare const posthog: PostHogInPage;

const QUESTION = 'What could we do better?';
const STARTED = '2026-01-01T00:00:00Z';

let server: RunningServer;
let browser: Browser;
let surveyId: string;
let questionId: string;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  await makeShopFlags(server);
  const { post } = managementClient(server);
  const plan = { key: 'plan', type: 'person', operator: 'exact', value: 'pro' };
  const survey = await post('surveys/', {
    name: 'Feedback of those who pay',
    description: 'not for them to read',
    type: 'popover',
    questions: [{ type: 'open', question: QUESTION, buttonText: 'Send it' }],
    appearance: { displayThankYouMessage: true, thankYouMessageHeader: 'Much obliged' },
    start_date: STARTED,
    targeting_flag_filters: { groups: [{ properties: [plan], rollout_percentage: 100 }] },
  });
  surveyId = survey.id;
  questionId = survey.questions[0].id;
  await post('surveys/', {
    name: 'For later',
    type: 'popover',
    questions: [{ type: 'open', question: 'Not yet' }],
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** A page used by a person with that plan. */
async function openAs(id: string, plan: string, options = ''): Promise<Visit> {
  const visitor = await visit(browser, server, sdkSnippet(server, options));
  await visitor.page.evaluate(([who, what]) => posthog.identify(who!, { plan: what }), [id, plan]);
  return visitor;
}

const popover = (page: Page) => page.locator(`[class^="PostHogSurvey-${surveyId}"]`);

/** Whether the SDK would show the survey, and if not, why. */
function judge(page: Page): Promise<{ visible: boolean; disabledReason?: string }> {
  return page.evaluate((id) => posthog.canRenderSurveyAsync(id, true), surveyId);
}

describe('posthog-js 1.433.10 and a popover survey created through the API', () => {
  test('10.3, 11.3/surveys, 11.3/survey-events it is shown, answered, and stored as `survey sent`', async () => {
    const { page, requests, leave } = await openAs('pat', 'pro');
    await page.getByText(QUESTION).waitFor();
    expect(pathsOf(requests)).toEqual(
      expect.arrayContaining(['/api/surveys/', expect.stringMatching(/^\/static\/.*surveys\.js$/)]),
    );
    await popover(page).getByRole('textbox').fill('More käse');
    await popover(page).getByText('Send it').click();
    await page.getByText('Much obliged').waitFor();

    const [shown] = await waitForEvent(server, 'survey shown');
    expect(shown).toMatchObject({ distinct_id: 'pat', properties: { $survey_id: surveyId } });
    const sent = await waitForEvent(server, 'survey sent');
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      distinct_id: 'pat',
      properties: { $survey_id: surveyId, [`$survey_response_${questionId}`]: 'More käse' },
    });
    expect((await getPerson(server, 'pat')).properties).toMatchObject({
      [`$survey_responded/${surveyId}`]: true,
    });
    expect(await managementClient(server).get('surveys/responses_count/')).toEqual({ [surveyId]: 1 });
    await leave();
  });

  test('a user who has answered it does not see it again, in another browser either', async () => {
    const { page, leave } = await openAs('pat', 'pro');
    await expect
      .poll(() => judge(page))
      .toMatchObject({ visible: false, disabledReason: expect.stringContaining('internal targeting flag') });
    expect(await page.getByText(QUESTION).count()).toBe(0);
    await leave();
  });

  test('a user outside its targeting does not see it', async () => {
    const { page, leave } = await openAs('fritz', 'free');
    await expect
      .poll(() => judge(page))
      .toMatchObject({ visible: false, disabledReason: expect.stringContaining('targeting feature flag') });
    expect(await page.getByText(QUESTION).count()).toBe(0);
    // It is shown on the next interval of the SDK after the obstacle is removed.
    await page.evaluate(() => posthog.identify('fritz', { plan: 'pro' }));
    await page.getByText(QUESTION).waitFor();
    await leave();
  });

  test('a user who has dismissed it does not see it again', async () => {
    const { page, leave } = await openAs('dana', 'pro');
    await popover(page).getByRole('button', { name: /close/i }).click();
    await waitForEvent(server, 'survey dismissed');
    expect((await getPerson(server, 'dana')).properties).toMatchObject({
      [`$survey_dismissed/${surveyId}`]: true,
    });
    await leave();
    const elsewhere = await openAs('dana', 'pro');
    await expect
      .poll(() => judge(elsewhere.page))
      .toMatchObject({ visible: false, disabledReason: expect.stringContaining('internal targeting flag') });
    await elsewhere.leave();
  });

  test('a page that requests only survey flags gets no others', async () => {
    const { page, requests, leave } = await openAs(
      'vera',
      'pro',
      'advanced_only_evaluate_survey_feature_flags: true,',
    );
    await page.getByText(QUESTION).waitFor();
    const asked = requests.filter((request) => request.url().includes('/flags/'));
    const answers = await Promise.all(asked.map(async (request) => (await request.response())?.json()));
    const keys = answers.flatMap((answer) => Object.keys((answer as { flags?: object })?.flags ?? {}));
    expect(new Set(keys)).toEqual(
      new Set([`survey-targeting-${surveyId}`, `survey-targeting-${surveyId}-custom`]),
    );
    expect(
      await page.evaluate((key) => posthog.getFeatureFlag(key) ?? null, SHOP_FLAGS.everybody),
    ).toBeNull();
    await leave();
  });

  test('draft and ended surveys are not listed', async () => {
    const { patch } = managementClient(server);
    const list = async () => {
      const answer = await fetch(`${server.url}/api/surveys/?token=${server.projectApiKey}`);
      return ((await answer.json()) as { surveys: { name: string }[] }).surveys.map(({ name }) => name);
    };
    expect(await list()).toEqual(['Feedback of those who pay']);
    await patch(`surveys/${surveyId}/`, { end_date: new Date().toISOString() });
    expect(await list()).toEqual([]);
    const { page, requests, leave } = await openAs('zoe', 'pro');
    await page.evaluate(() => new Promise((resolve) => posthog.onFeatureFlags(resolve)));
    await page.waitForLoadState('networkidle');
    expect(pathsOf(requests)).toContain(`/array/${server.projectApiKey}/config.js`);
    expect(pathsOf(requests)).not.toContain('/api/surveys/');
    await leave();
  });
});
