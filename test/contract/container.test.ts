import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { parts } from '../../scripts/parts.mjs';
import { inheritedEnvironment, startServer } from '../support/start-server.ts';

const execute = promisify(execFile);
/** The image's user is not root either. */
const USER = 65_534;

/** The instructions of each stage of the Dockerfile. */
function readStages(): { name: string; text: string }[][] {
  const lines = readFileSync('Dockerfile', 'utf8').split('\n');
  const instructions = lines
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1) }));
  const starts = instructions.flatMap(({ name }, index) => (name === 'FROM' ? [index] : []));
  return starts.map((start, index) => instructions.slice(start, starts[index + 1]));
}

test('the image builds every part that a server has', () => {
  const [build] = readStages();
  const command = build!.find(({ text }) => text.startsWith('node scripts/build.mjs'))!.text;
  const names = command.split(' ').slice(2);
  expect(names.toSorted()).toEqual(
    Object.keys(parts)
      // The desktop app, the pages of its Help menu, and what tests of other projects import.
      .filter((name) => !['electron', 'documents', 'testing'].includes(name))
      .toSorted(),
  );
});

// Docker runs where it may; the image's steps run here in a folder, with its user, variables and commands.
test(
  'the steps of the image give a server that stores what an ordinary user sends, and reports its health',
  { tags: ['deep'] },
  async () => {
    const image = mkdtempSync(join(tmpdir(), 'burrow-image-'));
    onTestFinished(() => rmSync(image, { recursive: true }));
    chmodSync(image, 0o755);
    const inImage = (text: string) => text.replaceAll(/(?<=^|=)\/data/g, join(image, 'data'));
    const env: Record<string, string> = {};
    const commands: Record<string, string[]> = {};
    const [, final] = readStages();
    for (const { name, text } of final!) {
      if (name === 'COPY') {
        const words = text.split(' ').slice(1);
        const target = join(image, words.pop()!);
        for (const source of words.map((word) => word.replace('/burrow/', '')))
          cpSync(source, words.length > 1 ? join(target, basename(source)) : target, { recursive: true });
      }
      if (name === 'RUN' && text.startsWith('npm ')) await execute('sh', ['-c', text], { cwd: image });
      if (name === 'ENV')
        for (const pair of text.split(' '))
          env[pair.slice(0, pair.indexOf('='))] = inImage(pair.slice(pair.indexOf('=') + 1));
      if (name === 'ENTRYPOINT' || name === 'HEALTHCHECK')
        commands[name] = JSON.parse(text.replace(/^CMD /, '')) as string[];
    }
    const data = env['BURROW_DATA_DIR']!;
    mkdirSync(data, { mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(data, USER, USER);

    const server = await startServer({
      dataDir: data,
      program: [process.execPath, join(image, commands['ENTRYPOINT']![1]!)],
      env,
      ...(isRoot ? { user: USER } : {}),
    });
    const isHealthy = () =>
      execute(process.execPath, commands['HEALTHCHECK']!.slice(1), {
        env: { ...inheritedEnvironment(), ...env, BURROW_PORT: String(server.port) },
      }).then(
        () => true,
        () => false,
      );
    expect(await isHealthy()).toBe(true);
    const body = JSON.stringify({ api_key: server.projectApiKey, event: 'from outside', distinct_id: 'ann' });
    const url = `http://127.0.0.1:${server.port}`;
    expect((await fetch(`${url}/capture/`, { method: 'POST', body })).status).toBe(200);
    const page = await fetch(url, { headers: { Accept: 'text/html' } });
    expect(await page.text()).toContain('<title>Burrow');
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(await isHealthy()).toBe(false);
  },
);
