import { describe, expect, test } from 'vitest';
import { borderRules } from './border-rules.ts';
import { codeRules } from './code-rules.ts';
import { featureRules } from './feature-rules.ts';
import { homeRules } from './home-rules.ts';
import { nameRules } from './name-rules.ts';
import { packageRules } from './package-rules.ts';
import { projectOf, readProject } from './project.ts';
import { rendererRules } from './renderer-rules.ts';
import { describeViolation, type Rule } from './rule.ts';
import { serverRules } from './server-rules.ts';
import { treeRules } from './tree-rules.ts';

const RULES: readonly Rule[] = [
  ...borderRules,
  ...serverRules,
  ...featureRules,
  ...rendererRules,
  ...homeRules,
  ...packageRules,
  ...codeRules,
  ...nameRules,
  ...treeRules,
];

const house = readProject(new URL('../..', import.meta.url).pathname);

describe.each(RULES)('$sentence', ({ check, broken, kept }) => {
  test('holds in this house', () => {
    expect(check(house).map(describeViolation)).toEqual([]);
  });

  test.each(broken)('is broken at $at, and says so', ({ files, at }) => {
    const found = check(projectOf(files)).map(describeViolation);
    expect(found.filter((text) => text.startsWith(`${at}: `))).toHaveLength(1);
  });

  test.each(kept.map((files) => ({ files })))('finds no fault where there is none (%#)', ({ files }) => {
    expect(check(projectOf(files)).map(describeViolation)).toEqual([]);
  });
});
