#!/usr/bin/env node
// npm run dev [-- --desktop]: the console with hot reload, and a server (or the desktop app around one) that starts
// again whenever its code changes. Data lies in .dev-data, away from what you really collect.
import { spawn } from 'node:child_process';
import { watch as watchFiles } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, createServer } from 'vite';
import { build as buildStale } from './build.mjs';
import { electronSwitches, findElectron } from './electron-runtime.mjs';

const PORT = '2877';
const isDesktop = process.argv.includes('--desktop');

await buildStale({ names: ['server', 'static', 'geoip', 'renderer', 'shared-page', 'electron'] });
const consoleServer = await createServer({ configFile: 'vite.config.ts' });
await consoleServer.listen();
const consoleOrigin = new URL(consoleServer.resolvedUrls.local[0]).origin;

let child = null;
let isEnding = false;
await watchServer();
start();
if (isDesktop) void watchShell();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);

function start() {
  const env = {
    ...process.env,
    BURROW_DATA_DIR: process.env.BURROW_DATA_DIR ?? resolve('.dev-data'),
    BURROW_PORT: PORT,
    BURROW_DEV_CONSOLE: consoleOrigin,
  };
  const started = isDesktop
    ? spawn(desktopRuntime(), [...electronSwitches(), '.'], { env, stdio: 'inherit' })
    : spawn(process.execPath, ['dist/server/main.js', 'serve', '--json'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
  started.stdout?.once('data', (chunk) => announce(String(chunk).split('\n')[0]));
  started.once('exit', () => {
    if (child === started) child = null;
  });
  child = started;
}

/** The server's console link, led to the dev server, which passes everything but the console's own files on to it. */
function announce(readyLine) {
  const { consoleUrl } = JSON.parse(readyLine);
  const { pathname, search, hash } = new URL(consoleUrl);
  console.log(`\nConsole: ${consoleOrigin}${pathname}${search}${hash}\n`);
}

async function restart() {
  const old = child;
  if (old !== null) {
    const ended = new Promise((done) => old.once('exit', done));
    old.kill('SIGTERM');
    await ended;
  }
  if (!isEnding) start();
}

/** Builds the server again on every change of its sources, and restarts it; resolves after the first build. */
async function watchServer() {
  const watcher = await build({
    configFile: 'vite.server.config.ts',
    logLevel: 'warn',
    build: { watch: {}, emptyOutDir: false },
  });
  await new Promise((firstBuilt) => {
    let isFirst = true;
    watcher.on('event', (event) => {
      if (event.code === 'ERROR') console.error(event.error.message);
      if (event.code !== 'END') return;
      if (isFirst) firstBuilt();
      else void restart();
      isFirst = false;
    });
  });
}

/** The shell is small: it is built whole when its contents have changed. */
async function watchShell() {
  const changes = watchFiles('electron', { recursive: true })[Symbol.asyncIterator]();
  while (!(await changes.next()).done) {
    const built = await buildStale({ names: ['electron'] }).catch((error) => console.error(error.message));
    if (built?.length) await restart();
  }
}

function desktopRuntime() {
  const electron = findElectron();
  if (electron !== null) return electron;
  console.error('There is no Electron runtime: run `npm start` once with a network, or leave out --desktop.');
  process.exit(1);
}

async function end() {
  isEnding = true;
  await restart();
  await consoleServer.close();
  process.exit(0);
}
