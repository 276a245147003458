#!/usr/bin/env node
// npm start: builds what is stale, then opens the desktop app; without a runtime or a display it runs the same server.
import {
  downloadElectron,
  electronSwitches,
  findElectron,
  hasDisplay,
  sandboxAdvice,
} from './electron-runtime.mjs';
import { run } from './run.mjs';

const options = process.argv.slice(2);

// In a process of its own: what a build takes of memory would stay taken while the app runs.
const built = await run(process.execPath, ['scripts/build.mjs']);
process.exitCode = built.code === 0 ? ((await openDesktop()) ?? (await serve())) : built.code;

/** Options on the command line would silently not count, and a wrong data folder is no small thing. */
function refuse() {
  console.error(
    `The desktop app takes its options from the environment: BURROW_PORT for --port, BURROW_DATA_DIR for --data-dir. ` +
      `Or run the server alone: node dist/server/main.js serve ${options.join(' ')}`,
  );
  return 2;
}

/** The app's exit code once it was closed, or null, after one line that says why, when it cannot be opened. */
async function openDesktop() {
  if (!hasDisplay()) return explain('there is no display');
  const electron =
    findElectron() ?? (process.env.ELECTRON_OVERRIDE_DIST_PATH ? null : await downloadElectron());
  if (electron === null) return explain('there is no Electron runtime, and it cannot be fetched');
  if (options.length > 0) return refuse();
  const app = await run(electron, [...electronSwitches(), '.'], { watchFor: 'Console: ' });
  if (app.code === 0 || app.wasSeen) return app.code;
  const advice = sandboxAdvice(electron, app);
  if (advice === null) return explain(`Electron ended immediately (exit code ${app.code})`);
  explain('this system refuses to isolate its pages (Chromium’s sandbox)');
  console.log(advice.join('\n'));
  return null;
}

function explain(reason) {
  console.log(
    `The desktop app cannot open: ${reason}. Running the server alone; open its console in a browser.`,
  );
  return null;
}

async function serve() {
  const { code } = await run(process.execPath, ['dist/server/main.js', 'serve', ...options]);
  return code;
}
