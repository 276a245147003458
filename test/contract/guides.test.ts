// @module-tag browser
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { GUIDES, REFERENCES } from '../../renderer/composables/guide-pages.ts';
import { build } from '../../scripts/build.mjs';
import { CLICKHOUSE_GUIDE, DOCS, runGuide } from '../support/run-guide.ts';

beforeAll(() => build({ names: ['server', 'geoip', 'testing'] }));

const guides = readdirSync(join(DOCS, 'guides')).toSorted();

test('the console lists each guide, under its own title', () => {
  const title = (file: string) => /^# (.*)\n/.exec(readFileSync(join(DOCS, file), 'utf8'))?.[1];
  expect(GUIDES.map(({ file }) => file).toSorted()).toEqual(guides.map((name) => `guides/${name}`));
  expect(GUIDES.map(({ file }) => title(file))).toEqual(GUIDES.map((guide) => guide.title));
  for (const { file } of REFERENCES) expect(title(file), file).toBeDefined();
});

test.each(guides.filter((name) => name !== CLICKHOUSE_GUIDE))(
  'every block of %s runs, and prints what the guide says',
  async (name) => {
    const { ran, written } = await runGuide(name);
    expect(ran).toBe(written);
  },
);
