import { expect } from 'vitest';
import { matchers, type BurrowMatchers } from './matchers.ts';

declare module 'vitest' {
  // oxlint-disable-next-line no-explicit-any -- TypeScript merges only interfaces with the same parameters
  interface Matchers<T = any> extends BurrowMatchers {}
}

expect.extend(matchers);
