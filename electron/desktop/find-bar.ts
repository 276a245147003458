import { ipcMain, WebContentsView, type BrowserWindow, type WebContents } from 'electron';
import { join } from 'node:path';
import { FIND_CHANNELS } from './find-channels.ts';
import { findBarUrl } from './find-bar-page.ts';

const SIZE = { width: 372, height: 44 };
/** Pixels to the right edge of the window: the page's scroll bar stays free. */
const RIGHT = 16;
/** A longer text is found nowhere. */
const LONGEST_TEXT = 1_000;

type Step = 'first' | 'next' | 'previous';

interface Bar {
  view: WebContentsView;
  /** What is searched for; empty: nothing. */
  text: string;
}

/** By the window that they lie in. */
const bars = new Map<BrowserWindow, Bar>();
/** What was searched for last, in any window. */
let lastText = '';

/**
 * Searches in the page of a window. The bar is a view of its own over the page: as a part of the page it would find its own
 * text, and would lie below the page's dialogs.
 */
export function setupFindBar(): void {
  ipcMain.on(FIND_CHANNELS.find, ({ sender }, text: unknown, step: unknown) => {
    const window = windowOf(sender);
    if (window === null || typeof text !== 'string') return;
    if (step === 'first' || step === 'next' || step === 'previous')
      search(window, text.slice(0, LONGEST_TEXT), step);
  });
  ipcMain.on(FIND_CHANNELS.close, ({ sender }) => {
    const window = windowOf(sender);
    if (window !== null) closeFindBar(window);
  });
}

/** Opens the bar of a window; an open one gets the keyboard and has its text selected. */
export function openFindBar(window: BrowserWindow): void {
  const { view } = bars.get(window) ?? createBar(window);
  view.webContents.focus();
  view.webContents.send(FIND_CHANNELS.focus, lastText);
}

/** Goes on to the next or the previous match; opens the bar when it is closed. */
export function findAgain(window: BrowserWindow, step: 'next' | 'previous'): void {
  const bar = bars.get(window);
  if (bar === undefined) openFindBar(window);
  else search(window, bar.text, step);
}

function closeFindBar(window: BrowserWindow): void {
  const bar = bars.get(window);
  if (bar === undefined) return;
  bars.delete(window);
  if (!window.isDestroyed()) {
    window.contentView.removeChildView(bar.view);
    window.webContents.stopFindInPage('keepSelection');
    window.webContents.focus();
  }
  bar.view.webContents.close();
}

function createBar(window: BrowserWindow): Bar {
  const view = new WebContentsView({
    webPreferences: {
      preload: join(import.meta.dirname, 'find-bar-preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      spellcheck: false,
    },
  });
  const bar: Bar = { view, text: '' };
  bars.set(window, bar);
  view.setBackgroundColor('#00000000');
  window.contentView.addChildView(view);
  const place = (): void => {
    const [width = SIZE.width] = window.getContentSize();
    const fitting = Math.min(SIZE.width, width - RIGHT);
    view.setBounds({ x: width - fitting - RIGHT, y: 0, width: fitting, height: SIZE.height });
  };
  place();
  window.on('resize', place);

  const contents = window.webContents;
  const show = (_event: unknown, result: Electron.FoundInPageResult): void =>
    view.webContents.send(FIND_CHANNELS.count, countText(result.matches, result.activeMatchOrdinal));
  const close = (): void => closeFindBar(window);
  contents.on('found-in-page', show);
  // Another page has other text; a change within the console's page keeps the bar, whose next step searches again.
  contents.on('did-navigate', close);
  window.once('closed', close);
  view.webContents.once('destroyed', () => {
    if (window.isDestroyed()) return;
    window.off('resize', place);
    window.off('closed', close);
    contents.off('found-in-page', show);
    contents.off('did-navigate', close);
  });
  view.webContents.once('did-finish-load', () => view.webContents.send(FIND_CHANNELS.focus, lastText));
  void view.webContents.loadURL(findBarUrl());
  return bar;
}

function search(window: BrowserWindow, text: string, step: Step): void {
  const bar = bars.get(window);
  if (bar === undefined) return;
  const isNew = step === 'first' || text !== bar.text;
  bar.text = text;
  if (text === '') {
    window.webContents.stopFindInPage('clearSelection');
    bar.view.webContents.send(FIND_CHANNELS.count, '');
    return;
  }
  lastText = text;
  window.webContents.findInPage(text, { findNext: isNew, forward: step !== 'previous' });
}

function countText(matches: number, active: number): string {
  if (matches === 0) return 'No matches';
  return `${Math.max(1, active).toLocaleString('en-US')} of ${matches.toLocaleString('en-US')}`;
}

function windowOf(sender: WebContents): BrowserWindow | null {
  for (const [window, { view }] of bars) if (view.webContents === sender) return window;
  return null;
}
