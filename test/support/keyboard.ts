import type { Page } from 'playwright-core';
import { expectSeen } from './expect-seen.ts';

const MOST_STEPS = 120;
/** The names by which a control in focus may be known. A part that scrolls has the focus too, and is no control. */
const NAMES_IN_FOCUS = `(({ activeElement: it }) => [
  it?.getAttribute('aria-label'),
  it?.labels?.[0]?.textContent,
  it?.matches('a, button, [role^=menuitem]') ? it.textContent : '',
].map((text) => text?.trim() ?? ''))(document)`;

const FIELD_IN_FOCUS = ['input', 'textarea', '[contenteditable="true"]']
  .map((field) => `${field}:focus`)
  .join(', ');

/** What can be done with a page by its keys alone. */
export interface Keyboard {
  press(...keys: string[]): Promise<void>;
  /** Types into the field that has the focus, as soon as one has it. */
  type(text: string): Promise<void>;
  /** Presses Tab until the control of this name has the focus; fails when Tab does not lead to it. */
  tabTo(name: string | RegExp): Promise<void>;
  /** Goes to the control of this name and presses Enter. */
  enter(name: string | RegExp): Promise<void>;
  /** Moves to the field of this name and replaces its text. */
  fill(name: string, text: string): Promise<void>;
  /** Opens the menu of this name and takes an item of it by arrows. */
  pick(menu: string | RegExp, item: string | RegExp): Promise<void>;
  /** Takes an item of the menu that is open, or is about to be, by arrows. */
  take(item: string | RegExp): Promise<void>;
  /** Chooses the next radio of the group that has the focus, which is the one of this name. */
  chooseNext(name: string | RegExp): Promise<void>;
  /** Selects an option of a picker by Enter, once it is the first. */
  choose(option: string | RegExp): Promise<void>;
}

/** The keys of a page. */
export function keyboardOf(page: Page): Keyboard {
  const { keyboard } = page;

  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) await keyboard.press(key);
  }

  async function stepTo(key: string, name: string | RegExp): Promise<void> {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      if (await isInFocus(name)) return;
      await keyboard.press(key);
    }
    throw new Error(`${key} does not lead to ${name}`);
  }

  async function isInFocus(name: string | RegExp): Promise<boolean> {
    const names = await page.evaluate<string[]>(NAMES_IN_FOCUS);
    return names.some((one) => (typeof name === 'string' ? one === name : name.test(one)));
  }

  async function tabTo(name: string | RegExp): Promise<void> {
    await keyboard.press('Tab');
    await stepTo('Tab', name);
  }

  async function type(text: string): Promise<void> {
    await page.locator(FIELD_IN_FOCUS).waitFor();
    await keyboard.type(text);
  }

  async function choose(option: string | RegExp): Promise<void> {
    const options = page.getByRole('option');
    await options
      .first()
      .and(page.getByRole('option', { name: option }))
      .waitFor();
    await keyboard.press('Enter');
  }

  async function take(item: string | RegExp): Promise<void> {
    await expectSeen(page.getByRole('menu'));
    await stepTo('ArrowDown', item);
    await keyboard.press('Enter');
  }

  async function chooseNext(name: string | RegExp): Promise<void> {
    // What taking the focus has begun ends first: fingers are slower than this.
    await page.evaluate('new Promise((done) => setTimeout(done))');
    // An arrow chooses while it is held.
    await keyboard.down('ArrowDown');
    await page.getByRole('radio', { name, checked: true }).waitFor();
    await keyboard.up('ArrowDown');
  }

  return {
    press,
    type,
    tabTo,
    take,
    async enter(name) {
      await tabTo(name);
      await keyboard.press('Enter');
    },
    async fill(name, text) {
      await tabTo(name);
      await press('Control+a');
      await type(text);
    },
    async pick(menu, item) {
      await tabTo(menu);
      await keyboard.press('Enter');
      await take(item);
    },
    chooseNext,
    choose,
  };
}
