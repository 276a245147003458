import { expect, onTestFinished, test } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenApiDocument } from '../../server/features/api-reference/index.ts';
import { TEST_TOKEN } from '../support/test-app.ts';
import { openRecording } from './recording.ts';

const P = '/api/projects/1/';

test('the API reference equals the recording', async () => {
  const recording = await openRecording('reference');
  const document = (await recording.app.ask('/openapi.json')).json as OpenApiDocument;
  const { paths, components, ...rest } = document;
  recording.note('document', rest);
  // Part by part, so that a difference is a small one.
  for (const [path, item] of Object.entries(paths)) recording.note(path, item);
  for (const [kind, parts] of Object.entries(components)) {
    for (const [name, part] of Object.entries(parts)) recording.note(`${kind} ${name}`, part);
  }
  expect(recording.finish()).toBe('');
});

/** A folder with a page, in place of a build. */
function buildPage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recordings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'shared-page.html'),
    '<!doctype html><title>x</title><script type="application/json" id="shared"></script>',
  );
  return folder;
}

test('responses to SDKs and shared pages equal the recordings', async () => {
  const recording = await openRecording('surface', { sharedDir: buildPage() });
  const { ask } = recording;
  const post = (path: string, body: object) => ask(path, { method: 'POST', body });
  const look = (path: string, headers: Record<string, string> = {}) => ask(path, { who: 'nobody', headers });
  await post('/batch/', {
    api_key: TEST_TOKEN,
    batch: ['ada', 'bob'].map((distinct_id, index) => ({
      event: 'signup',
      distinct_id,
      uuid: `0190f0c1-0000-7000-8000-00000000000${index}`,
      timestamp: '2026-11-19T00:00:00Z',
      properties: { plan: 'pro' },
    })),
  });
  await post(`${P}feature_flags/`, {
    key: 'first',
    filters: { groups: [{ properties: [], rollout_percentage: 100 }], payloads: { true: '1' } },
  });
  await post(`${P}surveys/`, {
    name: 'Why',
    type: 'popover',
    questions: [{ type: 'open', question: 'Why?' }],
    start_date: '2026-11-01T00:00:00Z',
  });
  await post(`${P}early_access_feature/`, { name: 'Fast', stage: 'beta' });
  const settings = [
    {},
    { autocapture_opt_out: true, session_recording_opt_in: true, capture_performance_opt_in: true },
    { heatmaps_opt_in: true, surveys_opt_in: true, capture_dead_clicks: true },
    {
      autocapture_web_vitals_opt_in: true,
      autocapture_exceptions_opt_in: true,
      recording_domains: ['https://a.test'],
    },
  ];
  for (const body of settings) {
    await ask(P, { method: 'PATCH', body });
    for (const path of [`/array/${TEST_TOKEN}/config`, `/array/${TEST_TOKEN}/config.js`]) await look(path);
    for (const version of [1, 2, 3, 4]) {
      await ask(`/decide/?v=${version}`, {
        who: 'nobody',
        method: 'POST',
        body: { api_key: TEST_TOKEN, distinct_id: 'ada' },
      });
    }
    for (const query of ['v=1', 'v=2', 'v=2&config=true']) {
      await ask(`/flags/?${query}`, {
        who: 'nobody',
        method: 'POST',
        body: { token: TEST_TOKEN, distinct_id: 'ada' },
      });
    }
  }
  for (const path of [
    '/array/phc_unknown/config',
    `/api/surveys/?token=${TEST_TOKEN}`,
    '/api/surveys/',
    `/api/early_access_features/?token=${TEST_TOKEN}`,
    `/api/early_access_features/?token=${TEST_TOKEN}&stage=beta`,
    '/_liveness',
    '/_readiness',
    '/decide/?v=3',
    '/flags/',
    '/capture/',
    '/e/',
    '/api/feature_flag',
    '/nothing/here',
  ]) {
    await look(path, { Origin: 'https://shop.example' });
  }
  const hostile: readonly (readonly [path: string, body: string])[] = [
    ['/e/', '{'],
    ['/e/', '[]'],
    ['/batch/', '{"api_key":"phc_unknown","batch":[{"event":"a","distinct_id":"b"}]}'],
    ['/batch/', '{"batch":[{"event":"a","distinct_id":"b"}]}'],
    [
      '/batch/',
      `{"api_key":"${TEST_TOKEN}","batch":[{"distinct_id":"b"},{"event":"x"},{"event":"$identify","distinct_id":""}]}`,
    ],
    ['/flags/?v=2', '{}'],
    ['/decide/?v=3', `{"api_key":"${TEST_TOKEN}"}`],
    ['/i/v1/logs', '{}'],
    ['/s/', '{}'],
  ];
  for (const [path, body] of hostile) await ask(path, { who: 'nobody', method: 'POST', body });

  const trends = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] };
  await post(`${P}dashboards/`, { name: 'Shown' });
  const dashboard = (await post(`${P}dashboards/`, { name: 'Shared' })).json.id as number;
  const insight = await post(`${P}insights/`, {
    name: 'Signups',
    query: { kind: 'InsightVizNode', source: trends },
    dashboards: [dashboard],
  });
  await post(`${P}dashboards/${dashboard}/tiles/`, { text: { body: '**Hello**' } });
  for (const path of [`dashboards/${dashboard}`, `insights/${insight.json.id}`]) {
    const shared = await ask(`${P}${path}/sharing/`, { method: 'PATCH', body: { enabled: true } });
    const token = shared.json.access_token as string;
    for (const place of [
      `/shared/${token}`,
      `/shared/${token}.json`,
      `/shared/${token}.json?whitelabel&noHeader=true`,
      `/embedded/${token}`,
      `/shared_dashboard/${token}`,
      `/shared/${token}.json?filters_override=${encodeURIComponent('{"date_from":"-1d"}')}`,
    ]) {
      await look(place);
    }
    await ask(`${P}${path}/sharing/`, { method: 'PATCH', body: { enabled: false } });
    await look(`/shared/${token}.json`);
  }
  await look('/shared/unknown.json');
  expect(recording.finish()).toBe('');
});
