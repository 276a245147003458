import { app, BrowserWindow, session, shell } from 'electron';
import { basename, dirname, extname, join } from 'node:path';
import { requestPage } from './bridge.ts';
import { notify } from './notifications.ts';

/** What the system's dialog calls a file of this ending. */
const KINDS: Readonly<Record<string, string>> = {
  csv: 'CSV table',
  duckdb: 'Burrow backup',
  json: 'JSON file',
  parquet: 'Parquet table',
  pdf: 'PDF document',
  png: 'PNG image',
  svg: 'SVG image',
  txt: 'Text',
};

/** Where the last file was saved; the next dialog opens there. */
let lastFolder: string | null = null;
/** Saved in this run, by the number that a page shows a folder by: a page never names a path. */
const saved: string[] = [];

/** Downloads ask for a place under their own name, and say where they are. */
export function setupDownloads(): void {
  void app.whenReady().then(() => {
    session.defaultSession.on('will-download', (_event, item, contents) => {
      const name = item.getFilename();
      const ending = extname(name).slice(1).toLowerCase();
      item.setSaveDialogOptions({
        title: `Save ${name}`,
        defaultPath: savePath(name),
        filters: [
          ...(ending === ''
            ? []
            : [{ name: KINDS[ending] ?? `${ending.toUpperCase()} file`, extensions: [ending] }]),
          { name: 'All files', extensions: ['*'] },
        ],
      });
      item.once('done', (_done, state) => {
        const window = BrowserWindow.fromWebContents(contents);
        if (state === 'completed') offerFolder(window, item.getSavePath());
        if (state === 'interrupted')
          notify(`${name} was not saved`, 'The download was interrupted. Save it again.', () => {});
      });
    });
  });
}

/** Says that a file is saved, with a way to its folder: in the page, or by the system where no page of the console listens. */
export function offerFolder(window: BrowserWindow | null, path: string): void {
  lastFolder = dirname(path);
  const id = saved.push(path) - 1;
  const name = basename(path);
  void (
    window === null ? Promise.resolve(false) : requestPage(window, 'showSaved', { id, name }, 2_000)
  ).then((isShown) => {
    if (isShown !== true) notify(`${name} is saved`, 'Click to show it in its folder.', () => showSaved(id));
  });
}

/** Shows a saved file in the system's file manager; a number that no file has does nothing. */
export function showSaved(id: number): void {
  const path = saved[id];
  if (path !== undefined) shell.showItemInFolder(path);
}

export function savePath(name: string): string {
  return join(lastFolder ?? app.getPath('downloads'), name);
}

/** What a file is called after what is in it, without what file systems take for something else. */
export function fileNameOf(name: string, ending: string): string {
  const plain = name
    .replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
  return `${plain || 'burrow'}.${ending}`;
}
