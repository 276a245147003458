import { matchers, type BurrowMatchers } from './matchers.ts';

declare global {
  namespace jest {
    // TypeScript merges only interfaces with the same parameters.
    interface Matchers<R, T = {}> extends BurrowMatchers {}
  }
}

const { expect } = globalThis as { expect?: { extend(added: object): void } };
if (expect === undefined)
  throw new Error(
    'burrow-analytics/testing/jest belongs into setupFilesAfterEnv, where Jest has its expect.',
  );
expect.extend(matchers);
