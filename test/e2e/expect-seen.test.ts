// @module-tag browser
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { expectSeen, problemsOf } from '../support/expect-seen.ts';
import { violationsInEveryLook } from '../support/violations.ts';

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
  page = await (await browser.newContext({ viewport: { width: 800, height: 600 } })).newPage();
});
afterAll(() => browser?.close());

const FIXED = 'position: fixed; left: 40px; top: 40px; width: 200px; padding: 8px';

async function problemsWith(html: string): Promise<string> {
  await page.setContent(`<!doctype html><html><body style="margin: 0; background: #fff">${html}`);
  return (await problemsOf(page.locator('#it'))).join('; ');
}

describe('a message is visible', () => {
  test.each([
    ['dark text on a light box', `<p id="it" style="${FIXED}; background: #fff; color: #222">Saved</p>`],
    [
      'light text on a box of its own',
      `<p id="it" style="${FIXED}; background: #222; color: #eee">Saved</p>`,
    ],
    [
      'colors of other spaces',
      `<p id="it" style="${FIXED}; background: oklch(0.2 0 0); color: lab(95 0 0)">Saved</p>`,
    ],
    [
      'a box that lets clicks through',
      `<p id="it" style="${FIXED}; background: #fff; pointer-events: none">Saved</p>`,
    ],
    ['large gray text', `<p id="it" style="${FIXED}; font-size: 30px; color: #8a8a8a">Saved</p>`],
    [
      'a clear layer over it',
      `<p id="it" style="${FIXED}">Saved</p><div style="position: fixed; inset: 0"></div>`,
    ],
    [
      'a disabled button in it',
      `<div id="it" style="${FIXED}">Saved <button disabled style="color: #ccc">Undo</button></div>`,
    ],
    [
      'text for screen readers only',
      `<div id="it" style="${FIXED}">Saved<i style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); color: #eee">now</i></div>`,
    ],
  ])('%s', async (_, html) => {
    expect(await problemsWith(html)).toBe('');
    await expectSeen(page.locator('#it'));
  });
});

describe('a message is not visible', () => {
  test.each([
    ['absent', '', '0 of it are on the page'],
    ['twice', '<p id="it">a</p><p id="it">b</p>', '2 of it are on the page'],
    ['display none', `<p id="it" style="${FIXED}; display: none">Saved</p>`, 'it is hidden'],
    ['visibility hidden', `<p id="it" style="${FIXED}; visibility: hidden">Saved</p>`, 'it is hidden'],
    ['transparent', `<p id="it" style="${FIXED}; opacity: 0">Saved</p>`, 'its opacity is 0.00'],
    [
      'within what is transparent',
      `<div style="opacity: 0.3"><p id="it" style="${FIXED}">Saved</p></div>`,
      'its opacity is 0.30',
    ],
    [
      'without size',
      '<div id="it" style="width: 0; height: 0; overflow: hidden">Saved</div>',
      'its size is 0 x 0',
    ],
    ['below the window', '<p id="it" style="position: absolute; top: 700px">Saved</p>', 'leave the window'],
    ['half beside the window', `<p id="it" style="${FIXED}; left: -100px">Saved</p>`, 'leave the window'],
    [
      'covered',
      `<p id="it" style="${FIXED}">Saved</p><b class="lid" style="position: fixed; inset: 0; background: #fff"></b>`,
      'b.lid covers it',
    ],
    [
      'covered by half',
      `<p id="it" style="${FIXED}">Saved</p><b class="lid" style="position: fixed; left: 40px; top: 0; width: 60px; height: 600px; background: #fff"></b>`,
      'b.lid covers it',
    ],
    [
      'covered by what lets clicks through',
      `<p id="it" style="${FIXED}">Saved</p><b class="lid" style="position: fixed; inset: 0; background: #fff; pointer-events: none"></b>`,
      'b.lid covers it',
    ],
    [
      'cut off by what is around it',
      '<div style="height: 10px; overflow: hidden"><p id="it" style="margin: 40px">Saved</p></div>',
      'nothing of it is at',
    ],
    [
      'gray on white',
      `<p id="it" style="${FIXED}; color: #999">Saved</p>`,
      '"Saved" has a contrast of 2.85, below 4.5',
    ],
    ['large and too light', `<p id="it" style="${FIXED}; font-size: 30px; color: #aaa">Saved</p>`, 'below 3'],
    [
      'dark text in a clear box over dark',
      `<div style="position: fixed; inset: 0; background: #111"></div><p id="it" style="${FIXED}; color: #222">Saved</p>`,
      'below 4.5',
    ],
    ['faint text', `<p id="it" style="${FIXED}"><span style="opacity: 0.4">Saved</span></p>`, 'below 4.5'],
  ])('%s', async (_, html, problem) => {
    expect(await problemsWith(html)).toContain(problem);
  });
});

test('looking at a page at both widths finds a dialog that leaves the narrow window', async () => {
  await page.setContent(`<!doctype html><html lang="en"><title>Flags</title><body style="margin: 0"><main><h1>Flags</h1>
    <div role="dialog" aria-label="Deleted" style="position: fixed; left: 0; top: 0; width: 600px">Deleted</div></main>`);
  const found = await violationsInEveryLook(page, 'wide-dialog', [800, 390]);
  expect(found.filter((problem) => problem.includes('the open layer is not seen'))).toEqual([
    expect.stringMatching(/^light 390: .*leave the window/),
    expect.stringMatching(/^dark 390: .*leave the window/),
  ]);
});

describe('a toast of vue-sonner', () => {
  const TOAST = `<ol data-sonner-toaster data-x-position="right" data-y-position="bottom" data-sonner-theme="light"
      style="--width: 320px; --offset-bottom: 24px; --offset-right: 24px; --front-toast-height: 54px; --gap: 14px">
    <li id="it" data-sonner-toast data-styled="true" data-mounted="true" data-visible="true" data-front="true"
      data-expanded="false" data-x-position="right" data-y-position="bottom">Flag deleted</li></ol>`;
  /** What is above it fills the window, as the frame of the console does. */
  const SCREEN = '<main style="height: 100vh"></main>';

  test('is not visible without its stylesheet', async () => {
    expect(await problemsWith(SCREEN + TOAST)).toContain('leave the window');
  });

  test('is visible with it', async () => {
    const css = await readFile(createRequire(import.meta.url).resolve('vue-sonner/style.css'), 'utf8');
    await problemsWith(`<style>${css}</style>${SCREEN}${TOAST}`);
    await expectSeen(page.locator('#it'));
  });
});
