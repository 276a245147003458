import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { RECORDS } from './recording.ts';

const SHOWN = 10;

/** Fails with the lines that differ when a text is not what stands in the file; writes the file when `BURROW_RECORD=1`. */
export function compareFile(name: string, text: string): void {
  const file = new URL(`./${name}`, import.meta.url);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (before === text) return;
  if (RECORDS) writeFileSync(file, text);
  const [known, now] = [before.split('\n'), text.split('\n')];
  const [gone, added] = [without(known, now), without(now, known)];
  const lines = [
    `${name}: ${gone.length} lines went, ${added.length} came.`,
    ...gone.slice(0, SHOWN).map((line) => `- ${line}`),
    ...added.slice(0, SHOWN).map((line) => `+ ${line}`),
  ];
  if (RECORDS) console.log(lines.join('\n'));
  else expect.fail(lines.join('\n'));
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}
