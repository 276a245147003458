import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';

/** Nothing of ours keeps state in a module, so the files of a worker share what they import: a quarter of the time. */
const shared = {
  isolate: false,
  /** What is to come may take its time on a busy machine; one second, as by default, is luck. */
  expect: { poll: { timeout: 10_000 } },
};

/** Tests with a browser, a desktop app or a server of their own wait longer for an answer. */
const patient = { ...shared, testTimeout: 60_000, hookTimeout: 60_000 };

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
          ...shared,
          include: ['{server,electron,renderer,scripts,test/bench}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: 'house', ...shared, include: ['test/house/**/*.test.ts'], testTimeout: 60_000 } },
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
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          ...patient,
          testTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
