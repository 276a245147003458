import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { filtersOn } from '../../../../test/support/app-flags.ts';
import { openTestStore } from '../../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN } from '../../../../test/support/test-app.ts';
import { ConfigError } from '../../../lib/config-error.ts';

async function fileOf(content: unknown): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-flags-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'flags.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

const FLAGS = {
  version: 1,
  flags: [{ key: 'new-editor', filters: { ...filtersOn([]), payloads: { true: '{"a":1}' } } }],
  cohorts: [],
};

describe('a server that is started with a flag file', () => {
  test('serves its flags from the first request on', async () => {
    const app = await openTestApp({ config: { flagsFile: await fileOf(FLAGS) } });
    const body = { api_key: TEST_TOKEN, distinct_id: 'ada' };
    const { flags } = (await app.ask('/flags/?v=2', { method: 'POST', key: null, body })).json;
    expect(flags['new-editor']).toMatchObject({ enabled: true, metadata: { payload: '{"a":1}' } });
  });

  test('applies the file at each start, and does not change flags that are already equal', async () => {
    const store = await openTestStore();
    onTestFinished(() => store.close());
    const flagsFile = await fileOf(FLAGS);
    const versions: number[] = [];
    for (const active of [true, true, false]) {
      const app = await openTestApp({ store, config: { flagsFile } });
      const [flag] = (await app.ask('/api/projects/1/feature_flags/')).json.results;
      expect(flag.active).toBe(true);
      versions.push(flag.version);
      if (active)
        await app.ask(`/api/projects/1/feature_flags/${flag.id}/`, {
          method: 'PATCH',
          body: { name: 'words' },
        });
    }
    // The name is not in the file, and stays.
    expect(versions).toEqual([1, 2, 3]);
  });

  test('sets the owner as the creator of its flags', async () => {
    const app = await openTestApp({ config: { flagsFile: await fileOf(`\ufeff${JSON.stringify(FLAGS)}`) } });
    const [flag] = (await app.ask('/api/projects/1/feature_flags/')).json.results;
    expect(flag.created_by.id).toBe(app.app.features.users.owner().id);
  });
});

describe('an unusable file stops the start with a message that names it', () => {
  test.each([
    ['a text that is not JSON', '{"flags":', 'it is not valid JSON: '],
    ['another JSON object', '{}', 'This is not a flag file: it has neither flags nor results.'],
    ['what is nested too deep', '['.repeat(5_000) + ']'.repeat(5_000), 'it is nested too deeply.'],
    [
      'a flag that is refused',
      {
        version: 1,
        flags: [
          { key: 'bad key', filters: filtersOn([]) },
          { key: 'ä', filters: filtersOn([]) },
        ],
        cohorts: [],
      },
      "the flag 'bad key' is rejected (and 1 more): Only letters, digits",
    ],
  ])('%s', async (_name, content, sentence) => {
    const flagsFile = await fileOf(content);
    const started = openTestApp({ config: { flagsFile } });
    await expect(started).rejects.toThrow(ConfigError);
    await expect(started).rejects.toThrow(`--flags: ${flagsFile}: ${sentence}`);
  });

  test('a missing file', async () => {
    const started = openTestApp({ config: { flagsFile: '/nowhere/flags.json' } });
    await expect(started).rejects.toThrow('--flags: /nowhere/flags.json: it cannot be read (ENOENT).');
  });
});
