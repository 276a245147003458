// @module-tag deep
import { expect, test } from 'vitest';
import { measureFlags } from './flags.mjs';

test("The server's evaluator and posthog-node's local evaluation agree on the flags of the bench", async () => {
  const { flagsTimes } = await measureFlags({ warmupSeconds: 0, seconds: 0.01 });
  expect(flagsTimes).toBeGreaterThan(0);
});
