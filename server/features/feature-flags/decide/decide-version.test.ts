import { describe, expect, test } from 'vitest';
import { decideRequested, flagsRequested } from './decide-version.ts';

describe('the version of a /decide request', () => {
  test.each([
    ['', 1],
    ['v=1', 1],
    ['v=0', 1],
    ['v=-3', 1],
    ['v=2', 2],
    ['v=3', 3],
    ['v=4', 4],
    ['v=17', 4],
    ['v=', 2],
    ['v=new', 2],
    ['v=3.5', 2],
    ['ip=1&_=1795150963733&ver=1.24.0&v=3', 3],
  ] as const)('?%s is %s, always with the configuration', (search, shape) => {
    expect(decideRequested(search)).toEqual({ shape, withConfig: true });
  });
});

describe('the version of a /flags request', () => {
  test.each([
    ['v=2', 4, false],
    ['v=2&config=true', 4, true],
    ['v=2&config=false', 4, false],
    ['v=3', 4, false],
    ['', 4, true],
    ['config=true', 4, true],
    ['config=false', 4, false],
    ['v=1', 'legacy', false],
    ['v=1&config=true', 'legacy', true],
    ['v=new', 4, true],
    ['v=2&ip=0&_=1&ver=1.374.4&compression=base64', 4, false],
  ] as const)('?%s is shape %s, configuration: %s', (search, shape, withConfig) => {
    expect(flagsRequested(search)).toEqual({ shape, withConfig });
  });
});
