import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findOnPath } from '../../scripts/find-on-path.mjs';

const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('tray-host.py', import.meta.url));

/** An item of the tray's menu. */
export interface TrayItem {
  label: string;
  enabled: boolean;
  checked: boolean;
  children: TrayItem[];
}

/** A session bus with a desktop that shows tray icons and notifications. */
export interface TrayHost {
  env: Record<string, string>;
  /** How many icons have been registered. */
  iconCount(): number;
  /** The labels of the menu's items, separators left out. */
  menu(): Promise<TrayItem[]>;
  click(label: string): Promise<void>;
  /** Its width in pixels, and the mean red, green and blue of what can be seen of it; null: nothing can. */
  icon(): Promise<{ width: number; color: [number, number, number] | null }>;
  /** Titles and bodies. */
  notifications(): readonly string[];
  stop(): void;
}

/** Why the tray cannot be tested here, or null when it can. */
export function whyNoTray(): string | null {
  if (process.platform !== 'linux') return 'The tray is tested on Linux only.';
  if (findOnPath('dbus-daemon') === null)
    return 'dbus-daemon is missing. Install it with: sudo apt-get install dbus';
  const { status } = spawnSync(PYTHON, ['-c', 'import dbus, gi']);
  if (status !== 0)
    return 'The tray needs python3-dbus and python3-gi. Install them with: sudo apt-get install python3-dbus python3-gi';
  return null;
}

/** Starts a session bus and its desktop; `isWithoutTray`: one that shows notifications only, as plain GNOME does. */
export async function startTrayHost({ isWithoutTray = false } = {}): Promise<TrayHost> {
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [address] = (await once(createInterface({ input: bus.stdout }), 'line')) as [string];
  const env = { DBUS_SESSION_BUS_ADDRESS: address };
  const host = spawn(PYTHON, [SCRIPT, ...(isWithoutTray ? ['org.kde.StatusNotifierWatcher'] : [])], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said: Record<string, unknown>[] = [];
  const waiting: ((line: Record<string, unknown>) => void)[] = [];
  createInterface({ input: host.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Record<string, unknown>;
    if ('registered' in line || 'notification' in line) said.push(line);
    else waiting.shift()?.(line);
  });
  const next = () => new Promise<Record<string, unknown>>((resolve) => void waiting.push(resolve));
  const ask = async (command: string): Promise<Record<string, unknown>> => {
    const answer = next();
    host.stdin.write(`${command}\n`);
    const line = await answer;
    if ('error' in line) throw new Error(String(line['error']));
    return line;
  };
  await next();
  const kill = (): void => {
    host.kill();
    bus.kill();
  };
  process.once('exit', kill);
  return {
    env,
    iconCount: () => said.filter((line) => 'registered' in line).length,
    async menu() {
      const { menu } = await ask('menu');
      return (menu as TrayItem).children.filter(({ label }) => label !== '');
    },
    async icon() {
      return (await ask('icon'))['icon'] as Awaited<ReturnType<TrayHost['icon']>>;
    },
    async click(label) {
      await ask(`click ${label}`);
    },
    notifications: () =>
      said
        .filter((line) => 'notification' in line)
        .map((line) => `${String(line['notification'])}: ${String(line['body'])}`),
    stop() {
      process.off('exit', kill);
      kill();
    },
  };
}
