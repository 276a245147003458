import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findTestProject, servePublic } from '../../../test/support/serve-public.ts';
import { createRemoteConfigs } from '../remote-config/index.ts';
import bundles from './bundles.json' with { type: 'json' };
import { staticAssetsFeature } from './index.ts';

const NO_SETTINGS = {};
const dist = dirname(createRequire(import.meta.url).resolve('posthog-js'));
let root: string;
let staticDir: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'burrow-static-'));
  staticDir = join(root, 'static');
  mkdirSync(staticDir);
  for (const name of ['array.js', 'surveys.js']) {
    writeFileSync(join(staticDir, name), readFileSync(join(dist, name)));
  }
  writeFileSync(join(staticDir, 'notes.txt'), 'not a script');
  writeFileSync(join(root, 'secret.js'), 'outside');
});
afterAll(() => rmSync(root, { recursive: true }));

function serve(folder = staticDir): Promise<string> {
  const configs = createRemoteConfigs(
    () => [],
    () => NO_SETTINGS,
  );
  return servePublic(
    staticAssetsFeature({
      staticDir: folder,
      projects: { findByToken: findTestProject },
      remoteConfig: { configs },
    }).publicRoutes!,
  );
}

/** Sends the path as it is: fetch would resolve `..` before it leaves. */
function rawStatus(url: string, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url, { path }, (res) => resolve(res.resume().statusCode ?? 0))
      .on('error', reject)
      .end();
  });
}

describe('10.4, 2.2/static static assets', () => {
  test.each([
    ['/static/array.js', 'array.js'],
    ['/static/surveys.js?v=1.374.4', 'surveys.js'],
    ['/static/1.449.2/surveys.js', 'surveys.js'],
  ])('%s is the file of the installed posthog-js', async (path, name) => {
    const url = await serve();
    const answer = await fetch(url + path, { headers: { Origin: 'http://shop.example' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(answer.headers.get('access-control-allow-origin')).toBe('http://shop.example');
    expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(join(dist, name)))).toBe(true);
  });

  test('a file cached by the browser is not sent again', async () => {
    const url = await serve();
    const etag = (await fetch(`${url}/static/array.js`)).headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    for (const known of [etag, `W/${etag}`, `"old", ${etag}`, '*']) {
      const answer = await fetch(`${url}/static/array.js`, { headers: { 'If-None-Match': known } });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    const other = await fetch(`${url}/static/array.js`, { headers: { 'If-None-Match': '"old"' } });
    expect(other.status).toBe(200);
  });

  test('HEAD returns the length without the file', async () => {
    const url = await serve();
    const answer = await fetch(`${url}/static/array.js`, { method: 'HEAD' });
    expect(Number(answer.headers.get('content-length'))).toBe(readFileSync(join(dist, 'array.js')).length);
    expect(await answer.text()).toBe('');
  });

  test('/array/<token>/array.js is the bundle with the configuration in front', async () => {
    const url = await serve();
    const answer = await fetch(`${url}/array/phc_shop/array.js`);
    const text = await answer.text();
    expect(text).toMatch(/^\(function\(w\)\{w\._POSTHOG_REMOTE_CONFIG=/);
    expect(text.endsWith(readFileSync(join(dist, 'array.js'), 'utf8'))).toBe(true);
    const again = await fetch(`${url}/array/phc_shop/array.js`, {
      headers: { 'If-None-Match': answer.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
    expect((await fetch(`${url}/array/phc_other/array.js`)).status).toBe(404);
  });

  test.each([
    '/static/toolbar.js',
    '/static/notes.txt',
    '/static/../secret.js',
    '/static/..%2Fsecret.js',
    '/static/%2e%2e/secret.js',
    '/static/..%5Csecret.js',
    '/static/1.0.0/..%2F..%2Fsecret.js',
    '/static/%00.js',
    '/static/array.js%00',
    '/static/constructor',
    '/static/__proto__',
  ])('%s is 404: only the names in the folder exist', async (path) => {
    expect(await rawStatus(await serve(), path)).toBe(404);
  });

  test('without the folder every script is 404, and the server still starts', async () => {
    const url = await serve(join(root, 'missing'));
    expect((await fetch(`${url}/static/array.js`)).status).toBe(404);
    expect((await fetch(`${url}/array/phc_shop/array.js`)).status).toBe(404);
  });
});

describe('the list of bundles', () => {
  test('names files of the installed posthog-js', () => {
    for (const name of [...bundles.snippets, ...bundles.extensions]) {
      expect(() => readFileSync(join(dist, name)), name).not.toThrow();
    }
  });

  test('has every extension that the installed posthog-js can load', () => {
    const types = readFileSync(join(dist, '../lib/src/utils/globals.d.ts'), 'utf8');
    const asked = [...types.matchAll(/type (?:PostHog|External)ExtensionKind = ([^;]+);/g)]
      .flatMap(([, union]) => [...union!.matchAll(/'([^']+)'/g)])
      .map(([, kind]) => kind!);
    expect(asked).toContain('surveys');
    // The toolbar is not in the package; remote-config is `/array/<token>/config.js`.
    const files = asked
      .filter((kind) => kind !== 'toolbar' && kind !== 'remote-config')
      .map((kind) => `${kind}.js`);
    expect(bundles.extensions).toEqual(expect.arrayContaining(files));
  });
});
