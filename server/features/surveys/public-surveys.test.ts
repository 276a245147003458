import { describe, expect, test } from 'vitest';
import { findTestProject, servePublic } from '../../../test/support/serve-public.ts';
import { publicSurveyRoutes } from './public-survey-routes.ts';
import { publicSurveys } from './surveys.contract.ts';

const routes = publicSurveyRoutes({ findProject: findTestProject, surveysOf: () => [] });

describe('10.5, 2.2/surveys surveys for SDKs', () => {
  test.each([
    '/api/surveys/?token=phc_shop',
    '/api/surveys?token=phc_shop&_=1795151073327',
    '/api/surveys/?ip=1&_=1&ver=1.57.2&api_key=phc_shop',
  ])('%s returns the list', async (path) => {
    const url = await servePublic(routes);
    const answer = await fetch(url + path, { redirect: 'manual' });
    expect(answer.status).toBe(200);
    const body: unknown = await answer.json();
    expect(publicSurveys.strict().parse(body)).toEqual({ surveys: [], survey_config: null });
  });

  test.each([
    ['', 'missing_api_key'],
    ['?token=', 'missing_api_key'],
    ['?token=%20', 'missing_api_key'],
    ['?token=phc_other', 'invalid_api_key'],
  ])('/api/surveys/%s is 401 %s, readable for a page of another origin', async (query, code) => {
    const url = await servePublic(routes);
    const answer = await fetch(`${url}/api/surveys/${query}`, { headers: { Origin: 'http://shop.example' } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ type: 'authentication_error', code, attr: null });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://shop.example');
  });
});
