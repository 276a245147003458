import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

/** Tests that share the two cores with a browser, a desktop app or a killed server wait for each other. */
const oneAtATime = { fileParallelism: false, testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        plugins: [vue()],
        test: {
          name: 'unit',
          include: ['{server,electron,renderer,scripts}/**/*.test.ts'],
          testTimeout: 15_000,
        },
      },
      { test: { name: 'house', include: ['test/house/**/*.test.ts'], testTimeout: 30_000 } },
      { test: { name: 'contract', include: ['test/contract/**/*.test.ts'], ...oneAtATime } },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...oneAtATime } },
      {
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          ...oneAtATime,
          testTimeout: 180_000,
        },
      },
    ],
  },
});
