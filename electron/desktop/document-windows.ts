import { BrowserWindow, nativeTheme, shell } from 'electron';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Pages that the build writes (scripts/documents.mjs): they are there without a server and without a network. */
type DocumentName = 'about' | 'help' | 'licences' | 'release-notes';

const FOLDER = join(import.meta.dirname, '../documents');
const SIZES: Readonly<Record<DocumentName, { width: number; height: number }>> = {
  about: { width: 440, height: 440 },
  help: { width: 920, height: 800 },
  licences: { width: 760, height: 720 },
  'release-notes': { width: 760, height: 720 },
};
const CANVAS = { light: '#fcfbf9', dark: '#11100f' };

const open = new Map<DocumentName, BrowserWindow>();

/** Opens a page of the Help menu in a window without any script; an open one comes to the front. */
export function openDocument(name: DocumentName): void {
  const before = open.get(name);
  if (before !== undefined) return before.focus();
  const window = new BrowserWindow({
    ...SIZES[name],
    useContentSize: true,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: CANVAS[nativeTheme.shouldUseDarkColors ? 'dark' : 'light'],
    webPreferences: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      javascript: false,
      spellcheck: false,
    },
  });
  open.set(name, window);
  window.once('closed', () => open.delete(name));
  window.once('ready-to-show', () => window.show());
  // What these addresses lead to is refused by the guard; here they are buttons.
  window.webContents.on('will-frame-navigate', ({ url }) => act(url));
  void window.loadURL(name === 'about' ? aboutUrl() : pathToFileURL(join(FOLDER, `${name}.html`)).href);
}

function act(url: string): void {
  if (url === 'burrow:licences') openDocument('licences');
  if (url === 'burrow:release-notes') openDocument('release-notes');
  if (url === 'burrow:chromium-licenses')
    void shell.openPath(join(dirname(process.execPath), 'LICENSES.chromium.html'));
}

/** The page with the versions that only the running program has. */
function aboutUrl(): string {
  const { electron, chrome, node } = process.versions;
  const versions = {
    Electron: electron,
    Chromium: chrome,
    'Node.js': node,
    System: `${process.platform} ${process.arch}`,
  };
  const rows = Object.entries(versions).map(([name, version]) => `<dt>${name}</dt><dd>${version}</dd>`);
  const html = readFileSync(join(FOLDER, 'about.html'), 'utf8').replace('<!--versions-->', rows.join(''));
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}
