import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { launchBrowser } from './browser.ts';
import { readRunFile } from './desktop.ts';
import { PATIENCE_MS } from './patience.ts';
import { inheritedEnvironment, startServer } from './start-server.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The documentation. */
export const DOCS = join(ROOT, 'docs');
/** The guide that needs ClickHouse; the others run without. */
export const CLICKHOUSE_GUIDE = 'grow-to-clickhouse.md';
/** What the guides write for the address of the server, which is another one here. */
const HOST = 'http://127.0.0.1:2877';
const KEYS = {
  BURROW_PROJECT_API_KEY: 'phc_your_project_key',
  BURROW_PERSONAL_API_KEY: 'phx_your_personal_key',
};
/** posthog-js takes a browser that a program drives for a bot. */
const UNDRIVEN = `for (const [name, value] of Object.entries({ webdriver: false, userAgentData: undefined, userAgent: navigator.userAgent.replace('Headless', '') }))
  Object.defineProperty(Navigator.prototype, name, { get: () => value });`;

interface Block {
  language: string;
  /** The second word behind the fence: the name of a file, or how it is run. */
  word: string;
  code: string;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', word = '', code = '']) => ({ language, word, code }),
  );
}

/** The folder of a reader: the command `burrow`, the SDKs, and no settings of the machine. */
function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'burrow-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [bin, modules, dataDir] = ['bin', 'node_modules', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(bin);
  mkdirSync(modules);
  writeFileSync(
    join(bin, 'burrow'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/server/main.js')}" "$@"\n`,
  );
  chmodSync(join(bin, 'burrow'), 0o755);
  for (const name of ['.bin', 'posthog-node', 'vitest'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  symlinkSync(ROOT, join(modules, 'burrow-analytics'));
  const kept = Object.entries(inheritedEnvironment()).filter(
    ([name]) => !/^(VITEST|NODE_ENV$|NODE_OPTIONS$|npm_)/.test(name),
  );
  const env = {
    ...Object.fromEntries(kept),
    ...KEYS,
    PATH: [bin, process.env['PATH']].join(delimiter),
    NO_COLOR: '1',
    BURROW_PORT: '0',
    BURROW_DATA_DIR: dataDir,
    BURROW_TEST_TIMEOUT: String(PATIENCE_MS),
  };
  return { folder, dataDir, env };
}

/** What was printed is as the block says, in which `…` is anything. */
function expectPrinted(printed: string, expected: string): void {
  const lines = (text: string) => text.trim().split('\n').map((line) => line.trimEnd()).join('\n'); // prettier-ignore
  const pattern = lines(expected).split('…').map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)).join(String.raw`[\s\S]*`); // prettier-ignore
  expect(lines(printed)).toMatch(new RegExp(`^${pattern}$`));
}

/**
 * Runs the blocks of a guide in their order: `sh` in a shell, `sh server` until the next server or the end of the guide,
 * `sh ctrl-c` until it has printed. `text` is what the block above prints. A block with the name of a file is written to it;
 * what nothing runs fails. `instead` replaces what the guide writes by what there is here. Returns how many
 * blocks ran, and how many the guide has.
 */
export async function runGuide(
  name: string,
  instead: Readonly<Record<string, string>> = {},
): Promise<{ ran: number; written: number }> {
  const { folder, dataDir, env } = openFolder();
  let markdown = readFileSync(join(DOCS, 'guides', name), 'utf8');
  for (const [written, here] of Object.entries(instead)) {
    expect(markdown).toContain(written);
    markdown = markdown.replaceAll(written, here);
  }
  const blocks = blocksOf(markdown);
  let url = HOST;
  const here = (text: string): string => text.replaceAll(HOST, url);
  const asWritten = (text: string): string => text.replaceAll(url, HOST);

  function start(code: string): { child: ChildProcess; printed: () => string; complaints: () => string } {
    // Of its own group, so that it is interrupted as in a terminal.
    const child = spawn('bash', ['-ec', here(code)], { cwd: folder, env, detached: true });
    let [printed, complaints] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    onTestFinished(() => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    });
    return { child, printed: () => printed, complaints: () => complaints };
  }

  async function run(code: string): Promise<string> {
    const { child, printed, complaints } = start(code);
    const [exitCode] = (await once(child, 'close')) as [number | null];
    expect({ code, exitCode, printed: printed(), complaints: complaints() }).toMatchObject({ exitCode: 0 });
    return asWritten(printed());
  }

  async function interrupt(code: string, expected: string): Promise<void> {
    const { child, printed } = start(code);
    await expect.poll(() => (child.exitCode === null ? printed() : `ended: ${printed()}`)).toContain('\n');
    process.kill(-child.pid!, 'SIGINT');
    await once(child, 'close');
    expectPrinted(printed().split('\n').slice(0, expected.trim().split('\n').length).join('\n'), expected);
  }

  let stopServer: () => Promise<void> = async () => undefined;
  onTestFinished(() => stopServer());

  async function serve(code: string): Promise<void> {
    await stopServer();
    const { child, printed } = start(code);
    const closed = once(child, 'close');
    stopServer = async () => {
      process.kill(-child.pid!, 'SIGTERM');
      await closed;
      stopServer = async () => undefined;
    };
    await expect.poll(printed).toContain('Press Ctrl+C');
    url = readRunFile(dataDir).url.replace(/\/$/, '');
    expectPrinted(`${asWritten(printed())}`, `${nextText()}\n…`);
  }

  let at = 0;
  function nextText(): string {
    const next = blocks[at + 1];
    if (next?.language !== 'text') return '…';
    at++;
    return next.code;
  }

  async function openPage(name: string): Promise<void> {
    const browser = await launchBrowser();
    try {
      const page = await (await browser.newContext()).newPage();
      await page.addInitScript(UNDRIVEN);
      await page.goto(pathToFileURL(join(folder, name)).href);
      const authorization = { Authorization: `Bearer ${KEYS.BURROW_PERSONAL_API_KEY}` };
      const stored = async () =>
        await (await fetch(`${url}/api/projects/1/events/`, { headers: authorization })).text();
      await expect.poll(stored).toContain('$pageview');
      // What it still holds is sent when its user leaves.
      await page.goto('about:blank');
      await expect.poll(stored).toContain('$pageleave');
    } finally {
      await browser.close();
    }
  }

  if (!blocks.some(({ word }) => word === 'server')) {
    const server = await startServer({ dataDir, env });
    onTestFinished(async () => void (await server.stop()));
    url = server.url;
  }
  for (; at < blocks.length; at++) {
    const { language, word, code } = blocks[at]!;
    const isFile = word.includes('.');
    if (isFile) {
      mkdirSync(dirname(join(folder, word)), { recursive: true });
      writeFileSync(join(folder, word), here(code));
    }
    if (language === 'sh' && word === 'server') await serve(code);
    else if (language === 'sh' && word === 'ctrl-c') await interrupt(code, nextText());
    else if (language === 'sh') expectPrinted(await run(code), nextText());
    else if (word.endsWith('.html')) await openPage(word);
    else if (word.endsWith('mcp.json')) await askAssistantServer(code, env, folder);
    // It is run by its name; a test by its runner.
    else if (
      isFile &&
      blocks
        .slice(at + 1)
        .some(
          (later) =>
            later.code.includes(word) || (/\.test\./.test(word) && later.code.includes('vitest run')),
        )
    )
      continue; // prettier-ignore
    else throw new Error(`Nothing runs this block:\n${language} ${word}\n${code}`);
  }
  return { ran: at, written: markdown.match(/^```\w/gm)?.length ?? 0 };
}

/** Starts what the configuration of an assistant names, and has it list its tools. */
async function askAssistantServer(config: string, env: Record<string, string>, cwd: string): Promise<void> {
  const { mcpServers } = JSON.parse(config) as {
    mcpServers: Record<string, { command: string; args: string[] }>;
  };
  const [{ Client }, { StdioClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ]);
  for (const { command, args } of Object.values(mcpServers)) {
    const client = new Client({ name: 'guide', version: '1' });
    await client.connect(new StdioClientTransport({ command, args, env, cwd }));
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['query-run', 'dashboards-get-all']),
    );
    await client.close();
  }
}
