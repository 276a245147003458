import { app, Menu, nativeImage, Tray, type NativeImage } from 'electron';
import { join } from 'node:path';
import type { ServerProcess } from '../server-process.ts';
import { collectingItems, collectingText } from './collecting-items.ts';
import type { ShellMemory } from './shell-state.ts';
import { hasTrayHost } from './tray-host.ts';
import type { Windows } from './windows.ts';

const ICONS = join(import.meta.dirname, '../../resources/icons/tray');
/** At login the desktop's panel may start later than the app. */
const LOOK_EVERY_MS = 1_000;
const LOOKS = 60;

export interface TrayIcon {
  /** Whether users can see it. */
  readonly isShown: boolean;
}

/**
 * The icon in the system's tray: whether events are stored, and how to pause, open and quit. It is created once and kept,
 * as newer versions of Electron do not show a second one.
 */
export function setupTray(options: {
  server: ServerProcess;
  memory: ShellMemory;
  windows: Windows;
}): TrayIcon {
  const { server, memory, windows } = options;
  let tray: Tray | null = null;
  let shown = '';

  async function make(): Promise<void> {
    for (let look = 0; look < LOOKS && tray === null; look += 1) {
      if (await hasTrayHost()) {
        tray = new Tray(iconOf('stopped'));
        // On macOS a click opens the menu.
        if (process.platform !== 'darwin') tray.on('click', () => windows.show());
        return update();
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  /** A menu that is built again closes where it is open, so that only a change builds it. */
  function update(): void {
    if (tray === null) return;
    const { state, status } = server;
    const text = collectingText(server);
    const items = collectingItems({ server, memory });
    const kind = state.phase !== 'running' ? 'stopped' : status?.pause == null ? 'collecting' : 'paused';
    const now = JSON.stringify([kind, text, items]);
    if (now === shown) return;
    shown = now;
    tray.setImage(iconOf(kind));
    tray.setToolTip(`Burrow: ${text}`);
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: text, enabled: false },
        { type: 'separator' },
        { label: '&Open Burrow', click: () => windows.show() },
        {
          label: '&Live Events',
          enabled: state.phase === 'running' && status !== null,
          click: () => openLive(),
        },
        { type: 'separator' },
        ...items,
        { type: 'separator' },
        { label: '&Quit Burrow', click: () => app.quit() },
      ]),
    );
  }

  function openLive(): void {
    const { state, status } = server;
    if (state.phase === 'running' && status !== null)
      windows.open(new URL(`/project/${status.projectId}/live`, state.url).href);
  }

  server.watch(update);
  server.watchStatus(update);
  memory.watch(update);
  if (memory.get().hasTray) void make();
  return {
    get isShown() {
      return tray !== null;
    },
  };
}

function iconOf(kind: 'collecting' | 'paused' | 'stopped'): NativeImage {
  // Panels of Linux are higher than 16 pixels and take the first size there is.
  const image = nativeImage.createFromPath(
    join(ICONS, `${kind}${process.platform === 'linux' ? '@2x' : ''}.png`),
  );
  if (process.platform === 'darwin') image.setTemplateImage(true);
  return image;
}
