import { spawn } from 'node:child_process';
import { ConfigError } from '../lib/config-error.ts';
import { PAGES } from '../cli-table.ts';
import type { Config } from '../config.ts';
import { askForConsoleLink } from '../console-link.ts';
import { signIn } from './server-client.ts';
import { CommandError, write, type Terminal } from './terminal.ts';

/** What the desktop app's links call the things that a list shows. */
const THINGS: Readonly<Record<string, string>> = {
  actions: 'action',
  cohorts: 'cohort',
  dashboards: 'dashboard',
  flags: 'flag',
  insights: 'insight',
  persons: 'person',
};
const STORAGE = 'settings/storage';
const PAGE = /^[\w-]+(?:\/[\w-]+)*$/;

/**
 * Opens the console with a sign-in link, or prints the link. The desktop app, where it has named itself, is started
 * instead of a browser: it brings its server along.
 */
export async function open(config: Config, terminal: Terminal): Promise<void> {
  const { argument, dataDir, call } = config;
  const page = argument === null ? null : readPage(argument);
  const desktop = terminal.env['BURROW_DESKTOP'];
  if (desktop && !call.print) {
    const folder = config.sources['data-dir'] === undefined ? {} : { BURROW_DATA_DIR: dataDir };
    const links = page === null ? [] : [desktopLink(page, call.project)];
    return await start(desktop, links, { ...terminal.env, ...folder });
  }
  const path = page === null ? '/' : await addressOf(page, config, terminal);
  const link = new URL(await askForConsoleLink(dataDir, terminal.startCommand));
  link.pathname = path;
  if (call.print) return await write(terminal, `${link.href}\n`);
  const [program, ...args] = openerOf(terminal.platform);
  await start(program!, [...args, link.href], terminal.env).catch((error: Error) => {
    throw new CommandError(`${error.message} Print the link with --print, and open it yourself.`);
  });
  await write(terminal, `The console at ${link.origin}${path} is opened in the browser.\n`);
}

/** Throws ConfigError. */
function readPage(text: string): string {
  const page = text.replaceAll(/^\/+|\/+$/g, '');
  const [first] = page.split('/');
  if (PAGE.test(page) && PAGES.some((name) => name === first)) return page;
  throw new ConfigError(`There is no page ${text}. Pages: ${PAGES.join(', ')}.`);
}

/** As the desktop app reads it (docs/desktop.md). Throws ConfigError for a page that no link leads to. */
function desktopLink(page: string, project: number | null): string {
  const [screen = '', id, ...more] = page.split('/');
  const thing = THINGS[screen];
  const isLinked = id === undefined ? screen !== 'groups' : thing !== undefined && more.length === 0;
  if (page !== STORAGE && !isLinked)
    throw new ConfigError(
      `The desktop app has no link to ${page}. \`open ${page} --print\` prints one for a browser.`,
    );
  const place =
    page === STORAGE ? 'storage' : id === undefined ? screen : `${thing}/${encodeURIComponent(id)}`;
  return `burrow://${project === null ? '' : `project/${project}/`}${place}`;
}

async function addressOf(page: string, { dataDir, call }: Config, terminal: Terminal): Promise<string> {
  const client = await signIn(dataDir, terminal);
  try {
    return `/project/${client.projectId(call.project)}/${page}`;
  } finally {
    await client.close();
  }
}

function openerOf(platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') return ['open'];
  // The command `start` is of the shell, and takes a first argument in quotes for a title.
  if (platform === 'win32') return ['cmd', '/c', 'start', '""'];
  return ['xdg-open'];
}

/** How long a program that cannot do its work may take to say so. */
const FAILS_WITHIN_MS = 1_000;

/** Starts a program that goes on without this one. Throws CommandError when there is none, or when it fails immediately. */
async function start(program: string, args: readonly string[], env: Terminal['env']): Promise<void> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env });
  const fault = await new Promise<string | null>((resolve) => {
    const timer = setTimeout(() => resolve(null), FAILS_WITHIN_MS);
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code) => resolve(code === 0 ? null : `it ended with code ${code}`));
    child.once('exit', () => clearTimeout(timer)).once('error', () => clearTimeout(timer));
  });
  child.unref();
  if (fault !== null) throw new CommandError(`${program} cannot be started: ${fault}.`);
}
