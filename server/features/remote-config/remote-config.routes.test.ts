import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { findTestProject, servePublic, TEST_PROJECT } from '../../../test/support/serve-public.ts';
import { createRemoteConfigs } from './index.ts';
import { remoteConfigSchema } from './remote-config.contract.ts';
import { remoteConfigRoutes } from './remote-config.routes.ts';
import { remoteConfig, remoteConfigScript } from './remote-config.ts';

const NO_SETTINGS = {};
const routes = remoteConfigRoutes({
  findProject: findTestProject,
  remoteConfigs: createRemoteConfigs(
    () => [],
    () => NO_SETTINGS,
  ),
});

describe('10.1, 2.2/array remote configuration', () => {
  test('10.2 as JSON it has exactly the fields that SDKs read', async () => {
    const url = await servePublic(routes);
    const answer = await fetch(`${url}/array/phc_shop/config`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json');
    const config: unknown = await answer.json();
    expect(remoteConfigSchema.strict().parse(config)).toEqual(config);
    expect(config).toMatchObject({
      token: 'phc_shop',
      supportedCompression: ['gzip', 'gzip-js', 'lz64'],
      hasFeatureFlags: true,
      analytics: { endpoint: '/i/v0/e/' },
      elementsChainAsString: true,
      sessionRecording: false,
      surveys: false,
      heatmaps: false,
      captureDeadClicks: false,
      capturePerformance: false,
      autocaptureExceptions: false,
      defaultIdentifiedOnly: true,
      siteApps: [],
    });
  });

  test('10.2a SDKs are not configured to send data that is not stored: neither recordings nor logs', () => {
    const config: object = remoteConfig('phc_shop', [], {});
    expect(config).toMatchObject({ sessionRecording: false });
    expect(JSON.stringify(config)).not.toMatch(/"logs"|"captureConsole|"\/s\//);
  });

  test('A-3 each setting of the project is in the field that posthog-js reads', () => {
    const of = (settings: object) =>
      remoteConfig('phc_shop', [{ id: 's1' }], settings as Record<string, unknown>);
    expect(of({ autocapture_opt_out: true })).toMatchObject({ autocapture_opt_out: true });
    expect(of({ heatmaps_opt_in: true })).toMatchObject({ heatmaps: true });
    expect(of({ capture_dead_clicks: true })).toMatchObject({ captureDeadClicks: true });
    expect(of({ autocapture_exceptions_opt_in: true })).toMatchObject({
      autocaptureExceptions: true,
      errorTracking: { autocaptureExceptions: true },
    });
    expect(of({ capture_performance_opt_in: true }).capturePerformance).toEqual({
      network_timing: true,
      web_vitals: false,
      web_vitals_allowed_metrics: null,
    });
    const vitals = {
      autocapture_web_vitals_opt_in: true,
      autocapture_web_vitals_allowed_metrics: ['LCP', 'CLS'],
    };
    expect(of(vitals).capturePerformance).toEqual({
      network_timing: false,
      web_vitals: true,
      web_vitals_allowed_metrics: ['LCP', 'CLS'],
    });
    expect(of({ survey_config: { appearance: { backgroundColor: '#000' } } }).survey_config).toEqual({
      appearance: { backgroundColor: '#000' },
    });
    expect([of({}).surveys, of({ surveys_opt_in: true }).surveys]).toEqual([[{ id: 's1' }], [{ id: 's1' }]]);
    expect(of({ surveys_opt_in: false }).surveys).toBe(false);
  });

  test('A-3 settings of recordings are left out, and a value of another type enables no feature', () => {
    const recordings = {
      session_recording_opt_in: true,
      capture_console_log_opt_in: true,
      recording_domains: ['https://shop.example'],
    };
    const odd = {
      heatmaps_opt_in: 'yes',
      capture_dead_clicks: 1,
      survey_config: [],
      autocapture_web_vitals_allowed_metrics: 'LCP',
    };
    const plain = remoteConfig('phc_shop', [], {});
    expect(remoteConfig('phc_shop', [], { ...recordings, ...odd })).toEqual(plain);
  });

  test('10.2a surveys are the list that pages may show, and the same object while it is unchanged', () => {
    let surveys: object[] = [];
    const configs = createRemoteConfigs(
      () => surveys,
      () => NO_SETTINGS,
    );
    expect([configs.of(TEST_PROJECT).surveys, configs.besideFlags(TEST_PROJECT).surveys]).toEqual([
      false,
      false,
    ]);
    surveys = [{ id: 's1' }];
    const config = configs.of(TEST_PROJECT);
    expect(config.surveys).toEqual([{ id: 's1' }]);
    expect(configs.of(TEST_PROJECT)).toBe(config);
    expect(configs.besideFlags(TEST_PROJECT)).toEqual({ ...config, surveys: true });
    expect(configs.of({ ...TEST_PROJECT, apiToken: 'phc_new' })).toEqual({ ...config, token: 'phc_new' });
  });

  test('as a script it assigns the same object to the global of posthog-js, keeping other entries', async () => {
    const url = await servePublic(routes);
    const answer = await fetch(`${url}/array/phc_shop/config.js`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
    const window = { _POSTHOG_REMOTE_CONFIG: { other: { config: {}, siteApps: [] } } };
    runInNewContext(await answer.text(), { window });
    const json: unknown = await (await fetch(`${url}/array/phc_shop/config`)).json();
    expect(JSON.parse(JSON.stringify(window._POSTHOG_REMOTE_CONFIG))).toEqual({
      other: { config: {}, siteApps: [] },
      phc_shop: { config: json, siteApps: [] },
    });
  });

  test('a token with quotes and line separators is escaped in the script', () => {
    const token = `a"'\\</script>\u2028\u2029`;
    const window: { _POSTHOG_REMOTE_CONFIG?: Record<string, unknown> } = {};
    const script = remoteConfigScript(remoteConfig(token, [], {}));
    expect(script).not.toMatch(/[\u2028\u2029]/);
    runInNewContext(script, { window });
    expect(Object.keys(window._POSTHOG_REMOTE_CONFIG!)).toEqual([token]);
  });

  test.each(['/array/phc_other/config', '/array/phc_other/config.js'])(
    '%s of an unknown token is 404',
    async (path) => {
      const url = await servePublic(routes);
      const answer = await fetch(url + path, { headers: { Origin: 'http://shop.example' } });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ type: 'invalid_request', code: 'not_found', attr: null });
      expect(answer.headers.get('access-control-allow-origin')).toBe('http://shop.example');
    },
  );

  test('with and without trailing slash, and by HEAD', async () => {
    const url = await servePublic(routes);
    for (const path of ['/array/phc_shop/config/', '/array/phc_shop/config.js/']) {
      expect((await fetch(url + path, { redirect: 'manual' })).status).toBe(200);
    }
    const head = await fetch(`${url}/array/phc_shop/config`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('a page of another origin may read it', async () => {
    const url = await servePublic(routes);
    const answer = await fetch(`${url}/array/phc_shop/config`, {
      headers: { Origin: 'http://shop.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://shop.example');
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
    expect(answer.headers.get('vary')).toBe('Origin');
  });
});
