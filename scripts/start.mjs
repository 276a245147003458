#!/usr/bin/env node
// npm start: builds what is stale, then opens the desktop app; without a runtime or a display it runs the same server.
import { build } from './build.mjs';
import { downloadElectron, electronSwitches, findElectron, hasDisplay } from './electron-runtime.mjs';
import { run } from './run.mjs';

try {
  await build();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.exitCode = (await openDesktop()) ?? (await serve());

/** The app's exit code once it was closed, or null, after one line that says why, when it cannot be opened. */
async function openDesktop() {
  if (!hasDisplay()) return explain('there is no display');
  const electron =
    findElectron() ?? (process.env.ELECTRON_OVERRIDE_DIST_PATH ? null : await downloadElectron());
  if (electron === null) return explain('there is no Electron runtime, and it cannot be fetched');
  const app = await run(electron, [...electronSwitches(), '.', ...process.argv.slice(2)], {
    watchFor: 'Console: ',
  });
  return app.code === 0 || app.wasSeen ? app.code : explain(`Electron ended at once (exit code ${app.code})`);
}

function explain(reason) {
  console.log(
    `The desktop app cannot open: ${reason}. Running the server alone; open its console in a browser.`,
  );
  return null;
}

async function serve() {
  const { code } = await run(process.execPath, ['dist/server/main.js', 'serve', ...process.argv.slice(2)]);
  return code;
}
