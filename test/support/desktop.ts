import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { electronSwitches, findElectron } from '../../scripts/electron-runtime.mjs';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import { inheritedEnvironment, type Exit } from './start-server.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const STOP_LIMIT_MS = 20_000;

/** A desktop app under test, with a screen of its own. */
export interface Desktop {
  readonly app: ElectronApplication;
  /** What started it: the program with its arguments, and its environment. */
  readonly command: { words: readonly string[]; env: Record<string, string> };
  /** The first window. */
  readonly page: Page;
  /** Everything printed so far. */
  output(): string;
  /** Starts the app once more on the same data folder, with these links and files; resolves when that process has ended. */
  startAgain(...targets: string[]): Promise<Exit & { output: string }>;
  /** Quits as the menu does; resolves when the process has ended. */
  quit(): Promise<Exit>;
}

/** Why no desktop app can be tested here, in a sentence, or null when it can. */
export function whyNoDesktop(): string | null {
  if (findElectron() === null) {
    return 'The Electron runtime is missing. Install it with: node node_modules/electron/install.js';
  }
  if (process.platform === 'linux' && findOnPath('Xvfb') === null)
    return 'Xvfb is missing. Install it with: sudo apt-get install xvfb';
  return null;
}

/** What a running server has written into its data folder for tools to find it. */
export function readRunFile(dataDir: string): { pid: number; url: string } {
  return JSON.parse(readFileSync(join(dataDir, 'burrow.json'), 'utf8')) as { pid: number; url: string };
}

/**
 * Opens the built app on a data folder and any free port, on a screen of 1600 by 1000 pixels, with further environment
 * variables, and with further arguments, which may be links and files. Needs `npm run build`.
 */
export async function openDesktop(
  dataDir: string,
  further: Record<string, string> = {},
  furtherArgs: readonly string[] = [],
): Promise<Desktop> {
  const screen = await startScreen();
  const env = {
    ...inheritedEnvironment(),
    ...screen.env,
    BURROW_DATA_DIR: dataDir,
    BURROW_PORT: '0',
    ...further,
  };
  const args = [...electronSwitches(), '--disable-gpu', PROJECT];
  const app = await _electron
    .launch({ executablePath: findElectron()!, args: [...args, ...furtherArgs], env })
    .catch((error: unknown) => {
      screen.stop();
      throw error;
    });
  const child = app.process();
  const output = collectOutput(child);
  const exited = exitOf(child).finally(() => screen.stop());
  return {
    app,
    command: { words: [findElectron()!, ...args], env },
    page: await app.firstWindow(),
    output,
    startAgain: async (...more) => {
      const second = spawn(findElectron()!, [...args, ...more], { env });
      const secondOutput = collectOutput(second);
      return { ...(await exitOf(second)), output: secondOutput() };
    },
    quit: async () => {
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      // The answer is lost when the app ends before it is sent.
      await app.evaluate(({ app: electron }) => electron.quit()).catch(() => {});
      return exited.finally(() => clearTimeout(timer));
    },
  };
}

export interface Screen {
  env: Record<string, string>;
  stop(): void;
}

/** A virtual screen on Linux; elsewhere the real one. */
export async function startScreen(): Promise<Screen> {
  if (process.platform !== 'linux') return { env: {}, stop: () => {} };
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  const [display] = (await once(createInterface({ input: child.stdio[3] as Readable }), 'line')) as [string];
  return {
    env: { DISPLAY: `:${display}` },
    stop() {
      process.off('exit', kill);
      kill();
    },
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Presses the one of these buttons that a dialog of the system has, and notes what the dialog says. */
export function answerDialogs({ app }: Desktop, ...buttons: string[]): Promise<void> {
  return app.evaluate(({ dialog }, pressed) => {
    const said: string[] = ((globalThis as { said?: string[] }).said ??= []);
    dialog.showMessageBox = ((_window: unknown, box: Electron.MessageBoxOptions) => {
      said.push(`${box.message} ${box.detail}`);
      const response = box.buttons!.findIndex((label) => pressed.includes(label));
      return Promise.resolve({ response, checkboxChecked: false });
    }) as typeof dialog.showMessageBox;
  }, buttons);
}

/** What the dialogs have said since `answerDialogs`. */
export function dialogTexts({ app }: Desktop): Promise<string[]> {
  return app.evaluate(() => (globalThis as { said?: string[] }).said ?? []);
}

/** Clicks an item of the window's menu: its own label, or the labels on the way there. */
export function clickMenu({ app }: Desktop, ...labels: string[]): Promise<void> {
  return app.evaluate(({ Menu }, path) => {
    const all = Menu.getApplicationMenu()!.items;
    let items = path.length > 1 ? all : all.flatMap(({ submenu }) => submenu?.items ?? []);
    for (const [index, wanted] of path.entries()) {
      const item = items.find(({ label }) => label.replace('&', '') === wanted);
      if (item === undefined) throw new Error(`There is no ${wanted} in the menu.`);
      if (!item.enabled) throw new Error(`${wanted} is off.`);
      if (index === path.length - 1) item.click();
      else items = item.submenu!.items;
    }
  }, labels);
}

/** Opens a dashboard in a window and changes its name without saving it; returns its id. */
export async function changeDashboard(page: Page, url: string): Promise<number> {
  const id = await page.evaluate(async () => {
    const answer = await fetch('/api/projects/1/dashboards/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Weekly' }),
    });
    return ((await answer.json()) as { id: number }).id;
  });
  await page.goto(`${url}/project/1/dashboards/${id}`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Dashboard name' }).fill('Weekly, renamed');
  return id;
}
