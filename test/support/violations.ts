import axe from 'axe-core';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { problemsOf } from './expect-seen.ts';

const WIDTHS = [1440, 800];
const THEMES = ['light', 'dark'] as const;

/** What the theme may change: how colours stand against each other. Every other rule finds the same in both themes. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/** Settles when everything that moves and comes to an end has ended. */
const STILL = `Promise.all(document.getAnimations()
  .filter((animation) => animation.effect.getComputedTiming().iterations !== Infinity)
  .map((animation) => animation.finished.catch(() => {})))`;

/** Settles when nothing is dimmed because something newer is on its way; a page that stays so is checked anyway. */
const ANSWERED = `new Promise((done) => {
  const end = performance.now() + 2000;
  const look = () => document.querySelector('[aria-busy="true"]') && performance.now() < end ? setTimeout(look, 20) : done();
  look();
})`;

/** Settles after the elements that depend on the window were updated and painted. */
const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))';

/** Names what is wider than the room it has: the page, its frame, the screen and its parts. Tables, code and rows of controls in them may scroll. */
const TOO_WIDE = `[...document.querySelectorAll('html, body, body > div > *, main, main > *, main > * > *')]
  .filter(({ clientWidth, scrollWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
  .filter((element) => !element.matches('.data-table, .table-scroll, .sideways, pre'))
  .map(({ tagName, className, clientWidth, scrollWidth }) =>
    'scrolls sideways: ' + tagName.toLowerCase() + '.' + className + ' ' + scrollWidth + ' > ' + clientWidth)`;

/** Every rule is run; passed ones are not listed, and no selectors are computed, as the HTML identifies an element. */
const VIOLATIONS_ALONE = { resultTypes: ['violations'], selectors: false };

/** Violations that axe-core finds on a page, after all animations have ended: of all rules, or of the named ones. */
export async function violationsOn(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(ANSWERED);
  await page.evaluate(STILL);
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options = { ...VIOLATIONS_ALONE, ...(rules && { runOnly: rules }) };
  return page.evaluate(async (asked) => {
    interface Violation {
      id: string;
      nodes: { html: string; failureSummary: string }[];
    }
    const { axe: run } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: Violation[] }> };
    };
    const found = await run.run(asked);
    return found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
    );
  }, options);
}

/**
 * What axe-core finds on a page in both themes and at each width, wide and narrow by default, elements wider than their
 * container, and elements that hide an open dialog or menu; afterwards the page looks as before. With the environment
 * variable SHOTS, a folder, a picture of each look is stored there, by `name`.
 */
export async function violationsInEveryLook(
  page: Page,
  name: string,
  widths: readonly number[] = WIDTHS,
): Promise<string[]> {
  const before = page.viewportSize()!;
  const wasDark = await page.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
  const found: string[] = [];
  // From the current width, over the others and back: so the page has the fewest layout changes.
  const outward = widths.toSorted((a, b) => Math.abs(a - before.width) - Math.abs(b - before.width));
  for (const theme of THEMES) {
    for (const width of theme === 'light' ? outward : outward.toReversed()) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ ...before, width });
      await page.evaluate(DRAWN);
      const inThisLook = await violationsOn(page, theme === 'light' ? undefined : RULES_OF_COLOUR);
      if (theme === 'light') inThisLook.push(...(await page.evaluate<string[]>(TOO_WIDE)));
      inThisLook.push(...(await problemsOfTopLayer(page)));
      found.push(...inThisLook.map((violation) => `${theme} ${width}: ${violation}`));
      await shoot(page, `${name}-${width}-${theme}`);
    }
  }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: wasDark ? 'dark' : 'light' });
  await page.evaluate(DRAWN);
  return found;
}

/** What keeps a user from seeing the dialog or the menu that was opened last, when one is open. */
async function problemsOfTopLayer(page: Page): Promise<string[]> {
  const layers = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]');
  if ((await layers.count()) === 0) return [];
  const problems = await problemsOf(layers.last());
  return problems.map((problem) => `the open layer is not seen: ${problem}`);
}

/** Leaves a picture of the page in the folder that the environment variable SHOTS names. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}
