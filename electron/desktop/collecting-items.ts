import { clipboard, type MenuItemConstructorOptions } from 'electron';
import type { ServerProcess } from '../server-process.ts';
import { setStartsAtLogin, startsAtLogin } from './login-item.ts';
import type { ShellMemory } from './shell-state.ts';

interface Collecting {
  server: Pick<ServerProcess, 'state' | 'status' | 'pause' | 'resume'>;
  memory: ShellMemory;
}

const PAUSES: readonly { minutes: number | null; label: string }[] = [
  { minutes: 15, label: 'For 15 &Minutes' },
  { minutes: 60, label: 'For an &Hour' },
  { minutes: null, label: '&Until You Resume It' },
];

/** Whether events are stored, as the first line of the tray's menu and its tooltip say it. */
export function collectingText({ state, status }: Pick<ServerProcess, 'state' | 'status'>): string {
  if (state.phase === 'starting') return state.step ?? 'The server is starting';
  if (state.phase !== 'running') return 'The server is not running';
  if (status === null) return 'Collecting';
  const { pause, eventsPerMinute: count } = status;
  if (pause === null)
    return `Collecting, ${count.toLocaleString('en-US')} ${count === 1 ? 'event' : 'events'}/min`;
  return pause.until === null ? 'Capture is paused' : `Capture is paused until ${clockTime(pause.until)}`;
}

function clockTime(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** The items about the server and the background, of the tray's menu and of the window's. */
export function collectingItems({ server, memory }: Collecting): MenuItemConstructorOptions[] {
  const { state, status } = server;
  const isRunning = state.phase === 'running';
  const pause: MenuItemConstructorOptions =
    status?.pause != null
      ? { label: 'Res&ume Capture', enabled: isRunning, click: () => server.resume() }
      : {
          label: 'Pa&use Capture',
          enabled: isRunning && status !== null,
          submenu: PAUSES.map(({ minutes, label }) => ({ label, click: () => server.pause(minutes) })),
        };
  return [
    pause,
    {
      label: 'Copy Server &Address',
      enabled: isRunning,
      click: () => isRunning && void clipboard.writeText(state.url),
    },
    {
      label: 'Copy Project API Ke&y',
      enabled: isRunning && status !== null,
      click: () => status && void clipboard.writeText(status.projectApiKey),
    },
    { type: 'separator' },
    ...keepItems(memory),
    {
      label: '&Start at Login',
      type: 'checkbox',
      checked: startsAtLogin(),
      click: ({ checked }) => {
        try {
          setStartsAtLogin(checked);
        } catch (error) {
          console.error(`Start at login cannot be changed: ${(error as Error).message}`);
        }
      },
    },
  ];
}

/** On macOS apps go on without windows by custom. */
function keepItems(memory: ShellMemory): MenuItemConstructorOptions[] {
  if (process.platform === 'darwin') return [];
  return [
    {
      label: '&Keep Collecting in the Background',
      type: 'checkbox',
      checked: memory.get().keepsCollecting === true,
      click: ({ checked }) => memory.set({ keepsCollecting: checked }),
    },
  ];
}
