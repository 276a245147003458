import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

/** Tests with a browser, a desktop app or a server of their own wait longer for an answer. */
const patient = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Each starts the desktop app on a screen of its own, and looks at what its processes leave behind. */
const DESKTOP = ['test/e2e/desktop.test.ts', 'test/e2e/start.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        plugins: [vue()],
        test: {
          name: 'unit',
          include: ['{server,electron,renderer,scripts,test/bench}/**/*.test.ts'],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      { test: { name: 'house', include: ['test/house/**/*.test.ts'], testTimeout: 30_000 } },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          ...patient,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: DESKTOP,
          ...patient,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'desktop',
          include: DESKTOP,
          ...patient,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          ...patient,
          // Servers are killed, disks fill and floods come: one at a time, so that none of it meets another.
          fileParallelism: false,
          testTimeout: 180_000,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
