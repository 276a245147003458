import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** A line of SECURITY.md that names a test: its file and its title. */
const NAMED_TEST = /^- `([^`]+)`: "(.+)"$/gm;

test('every test in SECURITY.md exists, and every threat has at least one', () => {
  const [, ...threats] = readFileSync('SECURITY.md', 'utf8').split(/^## /m);
  expect(threats).toHaveLength(12);
  for (const threat of threats) {
    const named = [...threat.matchAll(NAMED_TEST)];
    expect(named.length, threat.split('\n', 1)[0]).toBeGreaterThan(0);
    for (const [, file, title] of named)
      expect(readFileSync(file!, 'utf8').includes(`'${title}'`), `${file}: ${title}`).toBe(true);
  }
});
