import { describe, expect, test } from 'vitest';
import { borderRules } from './rules/border-rules.ts';
import { codeRules } from './rules/code-rules.ts';
import { contractRules } from './rules/contract-rules.ts';
import { documentRules } from './rules/document-rules.ts';
import { featureRules } from './rules/feature-rules.ts';
import { homeRules } from './rules/home-rules.ts';
import { nameRules } from './rules/name-rules.ts';
import { packageRules } from './rules/package-rules.ts';
import { projectOf, readProject } from './project.ts';
import { rendererRules } from './rules/renderer-rules.ts';
import { describeViolation, type Rule } from './rule.ts';
import { serverRules } from './rules/server-rules.ts';
import { testRules } from './rules/test-rules.ts';
import { textRules } from './rules/text-rules.ts';
import { treeRules } from './rules/tree-rules.ts';
import { wordRules } from './rules/word-rules.ts';

const RULES: readonly Rule[] = [
  ...borderRules,
  ...serverRules,
  ...featureRules,
  ...rendererRules,
  ...homeRules,
  ...packageRules,
  ...codeRules,
  ...nameRules,
  ...wordRules,
  ...treeRules,
  ...documentRules,
  ...contractRules,
  ...textRules,
  ...testRules,
];

const house = readProject(new URL('../..', import.meta.url).pathname);

describe.each(RULES)('$sentence', ({ check, broken, kept }) => {
  test('the repository follows it', () => {
    expect(check(house).map(describeViolation)).toEqual([]);
  });

  test.each(broken)('a violation at $at is reported', ({ files, at }) => {
    const found = check(projectOf(files)).map(describeViolation);
    expect(found.filter((text) => text.startsWith(`${at}: `))).toHaveLength(1);
  });

  test.each(kept.map((files) => ({ files })))('allowed code is not reported (%#)', ({ files }) => {
    expect(check(projectOf(files)).map(describeViolation)).toEqual([]);
  });
});
