// @ts-check
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../../scripts/build.mjs';
import { startChromium } from '../../../scripts/chromium.mjs';
import { createDashboard, listDashboards } from '../burrow-api.mjs';
import { bundleBytes } from '../console/bundle.mjs';
import { templateOf } from '../console/tiles.mjs';
import { CATEGORIES, workByFrame } from '../console/trace.mjs';
import { prepare } from '../queries/ask-burrow.mjs';
import { startOn } from '../servers.mjs';
import { median, percentile } from '../statistics.mjs';

const DAYS = 90;
const TILES = 20;
const PAINTS = 7;
const OPENINGS = 5;
/** Movements of the mouse while a tile is in hand: over the board and back. */
const STEPS = 240;
const PATIENCE_MS = 30_000;
const VIEWPORT = { width: 1440, height: 900 };

/** True when each of so many tiles shows its answer: no skeleton, no older one, no state in its place. */
const ALL_ANSWERED = `(count) => {
  const answers = [...document.querySelectorAll('.tile > .answer')];
  return answers.length === count && answers.every((answer) => answer.firstElementChild !== null
    && answer.querySelector('.place, .stale, [aria-busy="true"]') === null
    && answer.textContent.trim() !== '');
}`;

/** Promises when that is so, from the beginning of the navigation. */
const WATCH = `window.answeredAt = new Promise((resolve) => {
  const isAnswered = ${ALL_ANSWERED};
  const look = () => {
    if (document.body && isAnswered(${TILES})) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** When something was first drawn, from the beginning of the navigation. */
const FIRST_PAINT = `new Promise((resolve) => {
  const tell = (list) => list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => resolve(startTime));
  new PerformanceObserver(tell).observe({ type: 'paint', buffered: true });
})`;

/**
 * The console in Chromium, on a server with so many events: its first paint, the bytes that every screen loads, how long a
 * dashboard of twenty tiles takes when the server has just started and when it has answered before, and what the main thread
 * does in a frame while a tile is dragged among twenty.
 * @param {{ events: number, runs: number }} options
 */
export async function measureConsole({ events, runs }) {
  await build({ names: ['renderer'] });
  const folder = await mkdtemp(join(tmpdir(), 'burrow-bench-console-'));
  const browser = await startChromium();
  try {
    await prepare({ folder, events, end: Date.now(), days: DAYS });
    const dashboardId = await withServer(folder, async (server) => {
      await createDashboard(server, templateOf(DAYS));
      return (await listDashboards(server)).results[0]?.id ?? 0;
    });
    /** @type {Record<'paint' | 'cold' | 'warm' | 'drag', number[]>} */
    const taken = { paint: [], cold: [], warm: [], drag: [] };
    for (let n = 0; n < runs; n += 1) {
      await withServer(folder, async (server) => {
        const state = await signedIn(browser, server);
        const path = `${server.url}/project/${server.ready['projectId']}`;
        taken.cold.push(await timeToAnswers(browser, state, `${path}/dashboards/${dashboardId}`));
        for (let m = 0; m < OPENINGS; m += 1)
          taken.warm.push(await timeToAnswers(browser, state, `${path}/dashboards/${dashboardId}`));
        for (let m = 0; m < PAINTS; m += 1)
          taken.paint.push(await timeToPaint(browser, state, `${path}/home`));
        taken.drag.push(await dragWork(browser, state, `${path}/dashboards/${dashboardId}`));
      });
    }
    return {
      consoleEvents: events,
      paintMs: median(taken.paint),
      bundleKb: (await bundleBytes()) / 1000,
      coldTilesMs: median(taken.cold),
      warmTilesMs: median(taken.warm),
      dragFrameMs: median(taken.drag),
    };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @template T
 * @param {string} folder
 * @param {(server: import('../servers.mjs').Server) => Promise<T>} work
 */
async function withServer(folder, work) {
  const server = await startOn(folder);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {Awaited<ReturnType<import('playwright-core').BrowserContext['storageState']>>} State */

/** What a profile holds that has signed in. @param {Browser} browser @param {import('../servers.mjs').Server} server */
async function signedIn(browser, server) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(server.ready['consoleUrl']);
  await page.waitForURL('**/project/**');
  // The requests of the first screen must not run during the measurement.
  await page.waitForLoadState('networkidle');
  const state = await context.storageState();
  await context.close();
  return state;
}

/**
 * A page of a profile that has loaded nothing yet.
 * @template T
 * @param {Browser} browser
 * @param {State} storageState
 * @param {(page: import('playwright-core').Page) => Promise<T>} work
 */
async function onPage(browser, storageState, work) {
  const context = await browser.newContext({ storageState, viewport: VIEWPORT });
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/** From the beginning of the navigation, in ms; nothing is drawn before the console is. @param {Browser} browser @param {State} state @param {string} url */
function timeToPaint(browser, state, url) {
  return onPage(browser, state, async (page) => {
    await page.goto(url);
    return page.evaluate(FIRST_PAINT);
  });
}

/** The same until all tiles show their answers. @param {Browser} browser @param {State} state @param {string} url */
function timeToAnswers(browser, state, url) {
  return onPage(browser, state, async (page) => {
    await page.addInitScript(WATCH);
    await page.goto(url);
    return page.evaluate('answeredAt');
  });
}

/** What the main thread does in a frame while a tile is dragged over the board and back; ms, p95. @param {Browser} browser @param {State} state @param {string} url */
function dragWork(browser, state, url) {
  return onPage(browser, state, async (page) => {
    await page.addInitScript(WATCH);
    await page.goto(url);
    await page.evaluate('answeredAt');
    await page.keyboard.press('e');
    await page.locator('.grid-stack[data-live] > [gs-x]').first().waitFor();
    const head = await page.locator('.tile-head').first().boundingBox();
    if (!head) throw new Error('The dashboard has no tile to drag.');
    const [x, y] = [head.x + 40, head.y + head.height / 2];
    await page.mouse.move(x, y);
    await browser.startTracing(page, { categories: CATEGORIES });
    await page.mouse.down();
    await page.evaluate(`performance.mark('drag-begins')`);
    for (let step = 1; step <= STEPS; step += 1) {
      const way = 1 - Math.abs(1 - (2 * step) / STEPS);
      await page.mouse.move(x + way * 760, y + way * 420);
    }
    await page.evaluate(`performance.mark('drag-ends')`);
    await page.mouse.up();
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    return percentile(workByFrame(traceEvents, { from: 'drag-begins', to: 'drag-ends' }), 0.95);
  });
}
