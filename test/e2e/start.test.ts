import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasDisplay } from '../../scripts/electron-runtime.mjs';
import { startScreen, whyNoDesktop } from '../support/desktop.ts';
import { inheritedEnvironment } from '../support/start-server.ts';

describe('npm start', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'burrow-start-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  /** Runs what `npm start` runs until it prints a console address, then ends it as a terminal or a supervisor does. */
  async function start(screen: Record<string, string>): Promise<{ output: string; code: number }> {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      env: {
        ...inheritedEnvironment(),
        DISPLAY: '',
        WAYLAND_DISPLAY: '',
        ...screen,
        BURROW_DATA_DIR: dataDir,
        BURROW_PORT: '0',
      },
    });
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
    let output = '';
    const address = new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = /Console:? +(http:\S+#token=\S+)\s/.exec(output)?.[1];
        if (found) resolve(found);
      });
      void ended.then((code) => reject(new Error(`It ended with exit code ${code}: ${output}`)));
    });
    child.stderr.resume();
    try {
      const page = await fetch(await address, { headers: { Accept: 'text/html' } });
      expect(await page.text()).toContain('<title>Burrow');
    } finally {
      child.kill('SIGTERM');
    }
    return { output, code: await ended };
  }

  test('without a display prints one line and runs the same server', async (context) => {
    context.skip(hasDisplay({}), 'This system always has a display.');
    const { output, code } = await start({});
    expect(output).toContain('The desktop app cannot open: there is no display.');
    expect(code).toBe(0);
  });

  test('where the system refuses the sandbox, says what to do and runs the same server', async (context) => {
    context.skip(process.platform !== 'linux', 'Only Linux refuses it.');
    // Ends as Electron does there: before any JavaScript, by a trap. This machine refuses nothing, so that a script plays it.
    const runtime = join(dataDir, 'runtime');
    mkdirSync(runtime);
    const lines = [
      '#!/bin/sh',
      'echo "FATAL:zygote_host_impl_linux.cc No usable sandbox!" >&2',
      'kill -TRAP $$',
      '',
    ];
    writeFileSync(join(runtime, 'electron'), lines.join('\n'), { mode: 0o755 });
    const { output, code } = await start({ DISPLAY: ':99', ELECTRON_OVERRIDE_DIST_PATH: runtime });
    expect(output).toContain('this system refuses to isolate its pages');
    expect(output).toContain(`sudo chmod 4755 "${join(runtime, 'chrome-sandbox')}"`);
    expect(code).toBe(0);
  });

  test('with a display opens the desktop app and prints the URL of its console', async (context) => {
    const reason = whyNoDesktop();
    context.skip(reason !== null, reason ?? undefined);
    const screen = await startScreen();
    const { output, code } = await start(screen.env);
    screen.stop();
    expect(output).not.toContain('cannot open');
    expect(code).toBe(0);
  });
});
