import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { RECORDS } from './recording.ts';

const SHOWN = 10;

/** The lines in which a text differs from a file, empty when none; writes the file instead when `BURROW_RECORD=1`. */
export function compareFile(name: string, text: string): string {
  const file = new URL(`./${name}`, import.meta.url);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (before === text) return '';
  if (RECORDS) writeFileSync(file, text);
  const [known, now] = [before.split('\n'), text.split('\n')];
  const [gone, added] = [without(known, now), without(now, known)];
  const lines = [
    `${name}: ${gone.length} lines went, ${added.length} came.`,
    ...gone.slice(0, SHOWN).map((line) => `- ${line}`),
    ...added.slice(0, SHOWN).map((line) => `+ ${line}`),
  ];
  if (!RECORDS) return lines.join('\n');
  console.log(lines.join('\n'));
  return '';
}

function without(lines: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}
