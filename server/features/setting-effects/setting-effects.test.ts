import { expect, test } from 'vitest';
import { projectBody, projectDetail } from '../projects/projects.contract.ts';
import { PROJECT_FACTS, SETTINGS_WITH_EFFECT, SETTINGS_WITHOUT_EFFECT } from './setting-effects.contract.ts';

const settings: readonly string[] = [...SETTINGS_WITH_EFFECT, ...SETTINGS_WITHOUT_EFFECT];
const listed: readonly string[] = [...settings, ...PROJECT_FACTS];

test('a setting is in exactly one list: those with an effect, or those without', () => {
  expect(new Set(listed).size).toBe(listed.length);
});

test('every setting of the project schema is listed, and so is every other field of a project', () => {
  expect(Object.keys(projectBody.shape).filter((name) => !settings.includes(name))).toEqual([]);
  expect(Object.keys(projectDetail.shape).filter((name) => !listed.includes(name))).toEqual([]);
});
