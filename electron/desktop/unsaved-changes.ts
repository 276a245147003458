import { app, dialog, type BrowserWindow, type WebContents } from 'electron';
import { requestPage } from './bridge.ts';
import { consoleWindows } from './console-window.ts';

/** What a user chose for changes that are not saved. */
type Choice = 'save' | 'discard' | 'cancel';

const CHOICES: readonly Choice[] = ['save', 'discard', 'cancel'];

/** Milliseconds for which a page that hangs delays a quit. */
const FLUSH_LIMIT_MS = 1_000;

/** Which windows have changes that are not saved, and the question before they are lost. */
export interface UnsavedChanges {
  set(page: WebContents, isUnsaved: boolean): void;
  has(window: BrowserWindow): boolean;
  /** True when the window may close: it has no unsaved changes, they were saved, or may go. Opens a dialog. */
  settle(window: BrowserWindow): Promise<boolean>;
  /** Opens the dialog of each window with unsaved changes; false when one of them stays open. */
  settleAll(): Promise<boolean>;
  /** Lets each page be replaced once without a question: all windows agreed. */
  discardAll(): void;
  /** From now on pages leave without a question: the system ends the session, or all windows agreed. */
  allowAll(): void;
}

/**
 * A page that prevents its unload stops `close`, `reload` and `quit` silently in Electron, so each of them opens a
 * dialog here: Save, Discard or Cancel.
 */
export function setupUnsavedChanges(): UnsavedChanges {
  const unsaved = new Set<WebContents>();
  const leaving = new WeakSet<WebContents>();
  const asking = new WeakSet<WebContents>();
  let isLeavingAll = false;

  app.on('browser-window-created', (_event, window) => {
    const page = window.webContents;
    let isClosing = false;
    window.on('close', () => (isClosing = true));
    page.on('destroyed', () => unsaved.delete(page));
    page.on('did-navigate', () => unsaved.delete(page));
    page.on('render-process-gone', () => unsaved.delete(page));
    page.on('will-prevent-unload', (event) => {
      if (isLeavingAll || leaving.has(page)) return event.preventDefault();
      const wasClosing = isClosing;
      isClosing = false;
      void settle(window).then((mayLeave) => {
        if (!mayLeave || window.isDestroyed()) return;
        // A second close() is lost while Chromium still gives up the first one.
        if (wasClosing) window.destroy();
        else {
          leaving.add(page);
          page.reload();
        }
      });
    });
    page.on('did-finish-load', () => leaving.delete(page));
  });

  /** Asks what to do with the window's changes; true when they are saved, or may go. */
  async function settle(window: BrowserWindow): Promise<boolean> {
    const page = window.webContents;
    if (asking.has(page)) return false;
    asking.add(page);
    try {
      const choice = await ask(window);
      if (choice === 'discard') return true;
      if (choice === 'cancel') return false;
      return (await requestPage(window, 'save', undefined)) === true;
    } finally {
      asking.delete(page);
    }
  }

  return {
    set(page, isUnsaved) {
      if (isUnsaved) unsaved.add(page);
      else unsaved.delete(page);
    },
    has: (window) => unsaved.has(window.webContents),
    async settle(window) {
      await flush(window);
      return !unsaved.has(window.webContents) || (await settle(window));
    },
    async settleAll() {
      await Promise.all(consoleWindows().map(flush));
      for (const window of consoleWindows()) {
        if (!unsaved.has(window.webContents)) continue;
        window.show();
        if (!(await settle(window))) return false;
      }
      return true;
    },
    discardAll() {
      for (const { webContents: page } of consoleWindows()) {
        if (unsaved.delete(page)) leaving.add(page);
      }
    },
    allowAll() {
      isLeavingAll = true;
    },
  };
}

/** A page reports its changes by messages: waits until the last one has arrived. */
async function flush(window: BrowserWindow): Promise<void> {
  await requestPage(window, 'flush', undefined, FLUSH_LIMIT_MS);
}

async function ask(window: BrowserWindow): Promise<Choice> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    title: 'Burrow',
    message: 'Save your changes?',
    detail: `“${window.getTitle()}” has unsaved changes.`,
    buttons: ['Save', 'Discard', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    noLink: true,
  });
  return CHOICES[response]!;
}
