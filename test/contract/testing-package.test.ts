import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { build } from '../../scripts/build.mjs';
import type * as Testing from '../../testing/index.ts';
import { PATIENCE_MS } from '../support/patience.ts';

const ENTRY = fileURLToPath(new URL('../../dist/testing/index.cjs', import.meta.url));

let startBurrow: typeof Testing.startBurrow;
let matchers: typeof Testing.matchers;

beforeAll(async () => {
  await build({ names: ['server', 'geoip', 'testing'] });
  ({ startBurrow, matchers } = (await import(pathToFileURL(ENTRY).href)) as typeof Testing);
});
afterEach(() => void vi.useRealTimers());

async function start(options: Testing.StartOptions = {}): Promise<Testing.Burrow> {
  const burrow = await startBurrow({ reuse: false, ...options });
  onTestFinished(() => burrow.stop());
  return burrow;
}

async function capture(burrow: Testing.Burrow, ...batch: object[]): Promise<void> {
  const events = batch.map((event) => ({ distinct_id: 'ada', ...event }));
  const body = JSON.stringify({ api_key: burrow.projectApiKey, batch: events });
  expect((await fetch(`${burrow.host}/batch/`, { method: 'POST', body })).status).toBe(200);
}

async function flagsOf(burrow: Testing.Burrow, distinctId: string): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ api_key: burrow.projectApiKey, distinct_id: distinctId });
  const answer = await fetch(`${burrow.host}/decide/?v=3`, { method: 'POST', body });
  return ((await answer.json()) as { featureFlags: Record<string, unknown> }).featureFlags;
}

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

describe('startBurrow()', () => {
  test('has flags and persons from the beginning, and again after a reset', async () => {
    const burrow = await start({
      flags: { beta: true, legacy: false, theme: 'dark' },
      persons: [{ distinctId: 'ada', properties: { email: 'ada@example.com' } }],
    });
    await burrow.setFlag('theme', false, 'ada');
    await burrow.setFlag('unknown', true, 'ada');
    await capture(burrow, { event: 'signup', properties: { $set: { email: 'other@example.com' } } });
    expect(await flagsOf(burrow, 'ada')).toEqual({ beta: true, legacy: false, theme: false, unknown: true });
    expect(await flagsOf(burrow, 'bob')).toMatchObject({ theme: 'dark', unknown: false });
    expect((await burrow.events()).map(({ event }) => event)).toEqual(['signup']);

    await burrow.reset();
    expect(await flagsOf(burrow, 'ada')).toEqual({ beta: true, legacy: false, theme: 'dark' });
    expect(await burrow.events()).toEqual([]);
    expect((await burrow.person('ada'))?.properties).toMatchObject({ email: 'ada@example.com' });
    expect(await burrow.person('bob')).toBe(null);
  });

  test('equal options share one server, which is empty again; others get their own', async () => {
    const options = { flags: { shared: true } };
    const first = await startBurrow(options);
    await capture(first, { event: 'left' });
    await first.stop();
    const again = await startBurrow(options);
    const other = await startBurrow({ flags: { shared: false } });
    expect([again.host === first.host, other.host === first.host]).toEqual([true, false]);
    expect(await again.events()).toEqual([]);
  });

  test('a server of its own ends with stop, also when that is called twice', async () => {
    const burrow = await start();
    await burrow.stop();
    await burrow.stop();
    await expect(burrow.events()).rejects.toThrow(`Burrow at ${burrow.host} does not answer`);
  });

  test('a port in use is said in the server’s own sentence', async () => {
    const { host } = await start();
    await expect(start({ port: Number(new URL(host).port) })).rejects.toThrow(
      /Port \d+ of 127\.0\.0\.1 is in use/,
    );
  });

  test('a flag that is refused is named with the reason', async () => {
    await expect(start({ flags: { 'no spaces': true } })).rejects.toThrow(
      /The flag 'no spaces' is refused: ./,
    );
  });

  test.each(['SIGKILL', 'exit'] as const)('the server ends with its process after %s', async (end) => {
    const script = `require(${JSON.stringify(ENTRY)}).startBurrow().then(async (burrow) => {
      const headers = { Authorization: 'Bearer ' + burrow.personalApiKey };
      const found = require('node:child_process')[Symbol.for('burrow.testing.servers')];
      console.log((await [...found.values()][0]).child.pid);
      ${end === 'SIGKILL' ? 'setInterval(() => {}, 1000);' : ''}
    })`;
    const parent = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(parent, 'exit');
    const [text] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
    const pid = Number(text);
    expect(pid).toBeGreaterThan(0);
    if (end === 'SIGKILL') parent.kill('SIGKILL');
    await ended;
    await expect.poll(() => isGone(pid)).toBe(true);
  });
});

describe('waitForEvent()', () => {
  test('resolves with the event that comes later, by name, properties, distinct ID or function', async () => {
    const burrow = await start();
    const waiting = Promise.all([
      burrow.waitForEvent('signup'),
      burrow.waitForEvent({ event: 'signup', properties: { cart: [{ sku: expect.any(String) }] } }),
      burrow.waitForEvent({ distinctId: 'bob' }),
      burrow.waitForEvent(({ properties }) => Number(properties['total']) > 3),
    ]);
    await capture(burrow, { event: 'signup' }, { event: 'signup', properties: { cart: [{ sku: 'a' }] } });
    await capture(burrow, { event: 'left', distinct_id: 'bob' }, { event: 'paid', properties: { total: 4 } });
    expect((await waiting).map(({ event }) => event)).toEqual(['signup', 'signup', 'left', 'paid']);
  });

  test('waits while a test has replaced the timers', async () => {
    const burrow = await start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date', 'performance'] });
    const waiting = burrow.waitForEvent('late');
    await capture(burrow, { event: 'late' });
    expect((await waiting).event).toBe('late');
  });

  test('rejects after its timeout with the nearest event and why it does not match', async () => {
    const burrow = await start();
    await capture(burrow, { event: 'signup', properties: { plan: 'free' } });
    const wanted = { event: 'signup', properties: { plan: 'pro', seats: 1 } };
    await expect(burrow.waitForEvent(wanted, 100)).rejects
      .toThrow(`Burrow has captured no event "signup" with {"plan":"pro","seats":1} within 100 ms.

The nearest of one event:
  "signup" of "ada": plan is "free", not "pro"; seats is missing`);
  });
});

describe('matchers', () => {
  const FAST = { timeout: 100 };
  const outcome = async (name: keyof typeof matchers, isNot: boolean, ...args: unknown[]) => {
    const { pass, message } = await (matchers[name] as Function).call({ isNot }, ...args);
    return { passes: pass !== isNot, message: message() as string };
  };

  test('toHaveCaptured() takes a part of the properties, and matchers at any depth', async () => {
    const burrow = await start();
    await capture(burrow, { event: 'paid', properties: { plan: 'pro', items: [{ sku: 'a', price: 4 }] } });
    const passes = async (properties: object) =>
      (await outcome('toHaveCaptured', false, burrow, 'paid', properties, FAST)).passes;
    expect(await passes({})).toBe(true);
    expect(await passes({ plan: expect.stringMatching(/^p/) })).toBe(true);
    expect(await passes({ items: [expect.objectContaining({ sku: 'a' })] })).toBe(true);
    expect(await passes({ items: [{ sku: 'a', price: expect.any(Number) }] })).toBe(true);
    expect(await passes({ items: [{ sku: 'a' }] })).toBe(false);
    expect(await passes({ plan: expect.any(Number) })).toBe(false);
  });

  test('it waits for events that are on their way', async () => {
    const burrow = await start();
    const waiting = outcome('toHaveCaptured', false, burrow, 'late', {}, { times: 2, timeout: PATIENCE_MS });
    await capture(burrow, { event: 'late' });
    await capture(burrow, { event: 'late' });
    expect((await waiting).passes).toBe(true);
  });

  test('`times` counts exactly, also none', async () => {
    const burrow = await start();
    await capture(burrow, { event: 'paid' }, { event: 'paid' }, { event: 'paid', distinct_id: 'bob' });
    const passes = async (isNot: boolean, times: number, distinctId?: string) => {
      const options = { ...FAST, times, ...(distinctId === undefined ? {} : { distinctId }) };
      return (await outcome('toHaveCaptured', isNot, burrow, 'paid', {}, options)).passes;
    };
    expect(await Promise.all([2, 3, 4, 0].map((times) => passes(false, times)))).toEqual([
      false,
      true,
      false,
      false,
    ]);
    expect(await Promise.all([2, 3].map((times) => passes(true, times)))).toEqual([true, false]);
    expect([await passes(false, 1, 'bob'), await passes(false, 0, 'eve')]).toEqual([true, true]);
  });

  test('a failure names the nearest events and why each did not match', async () => {
    const burrow = await start();
    await capture(
      burrow,
      { event: 'log out' },
      { event: 'sign_up' },
      { event: 'signup', properties: { plan: 'free' } },
    );
    const { message } = await outcome(
      'toHaveCaptured',
      false,
      burrow,
      'signup',
      { plan: expect.any(Number) },
      FAST,
    );
    expect(message).toContain(
      'Burrow has captured no event "signup" with {"plan":Any<Number>} within 100 ms.',
    );
    expect(message).toContain('The nearest of 3 events:');
    expect(message).toContain('"signup" of "ada": plan is "free", not Any<Number>\n');
    expect(message).toContain('"sign_up" of "ada": its name is "sign_up"; plan is missing\n');
    const none = await outcome('toHaveCaptured', false, await start(), 'signup', {}, FAST);
    expect(none.message).toContain('No event has arrived at all.');
    const order = await outcome('toHaveCapturedInOrder', false, await start(), ['signup'], FAST);
    expect(order.message).toContain('No event has arrived at all.');
  });

  test('with `not`, and with a wrong count, a failure lists what was captured', async () => {
    const burrow = await start();
    await capture(burrow, { event: 'paid', properties: { total: 4, $lib: 'web' } });
    const not = await outcome('toHaveCaptured', true, burrow, 'paid', {}, FAST);
    expect(not).toEqual({
      passes: false,
      message: `Burrow has captured "paid" once, which should not be.

Events:
  "paid" of "ada" {"total":4}`,
    });
    const count = await outcome('toHaveCaptured', false, burrow, 'paid', {}, { ...FAST, times: 2 });
    expect(count.message).toContain('Burrow has captured "paid" once, not 2.');
    expect((await outcome('toHaveCaptured', true, burrow, 'refunded', {}, FAST)).passes).toBe(true);
  });

  test('toHaveCapturedInOrder() allows others in between, goes by capture, and says where the order ends', async () => {
    const burrow = await start();
    const at = (second: number) => ({ timestamp: `2026-11-20T09:00:0${second}Z` });
    await capture(
      burrow,
      { event: 'signup', properties: { plan: 'pro' }, ...at(3) },
      { event: 'opened', ...at(2) },
      { event: 'paid', ...at(1) },
    );
    const order = (isNot: boolean, ...events: unknown[]) =>
      outcome('toHaveCapturedInOrder', isNot, burrow, events, FAST);
    expect((await order(false, ['signup', { plan: 'pro' }], 'paid')).passes).toBe(true);
    expect((await order(true, 'paid', 'signup')).passes).toBe(true);
    expect((await order(true, 'signup', 'paid')).passes).toBe(false);
    const wrong = await order(false, 'signup', 'paid', 'opened');
    expect(wrong.passes).toBe(false);
    expect(wrong.message).toContain('no event "opened" after "paid" within 100 ms (2 of 3 are in order)');
  });

  test('something else than a server is refused by a sentence', async () => {
    await expect(outcome('toHaveCaptured', false, {}, 'signup')).rejects.toThrow(
      'needs what startBurrow() returns',
    );
  });
});

test('every snippet of the guide is a part of an example that a test runs', async () => {
  const root = new URL('../../', import.meta.url);
  const folder = new URL('testing/examples/', root);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
  const [guide, readme] = await Promise.all(
    ['docs/testing.md', 'README.md'].map((path) => readFile(new URL(path, root), 'utf8')),
  );
  const snippetsOf = (page: string) =>
    [...page.matchAll(/```(?:js|json|py|go|yaml|sh)\n([^]*?)```/g)].map(([, text]) => text!);
  const own = snippetsOf(readme!).filter((text) => text.includes('expect(burrow)'));
  const snippets = [...snippetsOf(guide!), ...own];
  expect(snippets.length).toBeGreaterThan(5);
  const isPart = (snippet: string) => texts.some((text) => text.includes(snippet.trimEnd()));
  expect(snippets.filter((snippet) => !isPart(snippet))).toEqual([]);
});
