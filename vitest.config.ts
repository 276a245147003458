import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { PATIENCE_MS } from './test/support/patience.ts';

/** Nothing of ours keeps state in a module, so the files of a worker share what they import: a quarter of the time. */
const shared = {
  isolate: false,
  setupFiles: ['test/support/chance.ts'],
  globalSetup: ['test/support/clickhouse-server.ts'],
  /** What is to come may take its time on a busy machine; what never comes fails all the same. */
  expect: { poll: { timeout: PATIENCE_MS } },
  testTimeout: 5 * PATIENCE_MS,
  hookTimeout: 5 * PATIENCE_MS,
};

/** Take over a minute each, and begin first: as the last of their part they would run beside an idle core. */
const LONG = [
  'test/reliability/kill-during-import.test.ts',
  'test/contract/stored-readable.test.ts',
  'test/contract/testing-install.test.ts',
  'test/contract/commands.test.ts',
  'test/contract/commands-graduate.test.ts',
  'test/contract/guides.test.ts',
  'test/judge/generated.test.ts',
  'test/judge/generated-new-york.test.ts',
  'test/recordings/insights.test.ts',
  'test/recordings/conditions.test.ts',
  'test/reliability/any-management-request.test.ts',
];

/** Vitest sorts by size what it has not timed yet, which a clean clone never has; here `LONG` comes first, in any project. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = (file: TestSpecification) => LONG.some((name) => file.moduleId.endsWith(name));
    const sorted = await super.sort(files);
    const others = sorted.filter((file) => !isLong(file));
    const projects = [...new Set(others.map((file) => file.project))];
    return [
      ...sorted.filter(isLong),
      ...projects.flatMap((project) => others.filter((file) => file.project === project)),
    ];
  }
}

/** Each starts the desktop app on a screen of its own, and looks at what its processes leave behind. */
const DESKTOP = ['test/e2e/desktop*.test.ts', 'test/e2e/start.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongFilesFirst },
    tags: [
      {
        name: 'deep',
        description: 'Left to `npm run test:deep`: property models and whatever takes seconds.',
      },
      { name: 'journey', description: 'In a browser or the desktop app, and part of `npm test`.' },
      { name: 'fast', description: 'About a fast path: left out where `BURROW_FAST` is off.' },
      { name: 'browser', description: 'Needs Chromium.' },
      { name: 'soak', description: 'Takes hours: `npm run test:deep -- --budget full`.' },
    ],
    projects: [
      {
        plugins: [vue()],
        test: {
          name: 'unit',
          ...shared,
          include: ['{server,electron,renderer,scripts,test/bench}/**/*.test.ts'],
        },
      },
      { test: { name: 'house', ...shared, include: ['test/house/**/*.test.ts'] } },
      {
        test: {
          name: 'contract',
          include: ['test/{contract,upgrade}/**/*.test.ts'],
          ...shared,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'recordings',
          include: ['test/recordings/**/*.test.ts'],
          ...shared,
          testTimeout: 10 * PATIENCE_MS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'judge',
          include: ['test/judge/**/*.test.ts'],
          ...shared,
          globalSetup: ['test/judge/install-once.ts'],
          testTimeout: 30 * PATIENCE_MS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          exclude: DESKTOP,
          ...shared,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'desktop',
          include: DESKTOP,
          ...shared,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'reliability',
          include: ['test/reliability/**/*.test.ts'],
          ...shared,
          testTimeout: 10 * PATIENCE_MS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
