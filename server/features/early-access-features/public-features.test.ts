import { describe, expect, test } from 'vitest';
import { findTestProject, servePublic } from '../../../test/support/serve-public.ts';
import { publicFeatureRoutes } from './public-feature-routes.ts';
import { publicFeatures } from './early-access-features.contract.ts';

const routes = publicFeatureRoutes({ findProject: findTestProject, featuresOf: () => [] });

describe('10.5, 2.2/surveys early access features for SDKs', () => {
  test.each([
    '/api/early_access_features/?token=phc_shop&_=1795151077931',
    '/api/early_access_features?token=phc_shop&stage=concept&stage=beta',
  ])('%s returns the list', async (path) => {
    const url = await servePublic(routes);
    const answer = await fetch(url + path, { redirect: 'manual' });
    expect(answer.status).toBe(200);
    const body: unknown = await answer.json();
    expect(publicFeatures.strict().parse(body)).toEqual({ earlyAccessFeatures: [] });
  });

  test.each([
    ['', 'missing_api_key'],
    ['?token=phc_other', 'invalid_api_key'],
  ])('/api/early_access_features/%s is 401 %s', async (query, code) => {
    const url = await servePublic(routes);
    const answer = await fetch(`${url}/api/early_access_features/${query}`);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ type: 'authentication_error', code, attr: null });
  });
});
