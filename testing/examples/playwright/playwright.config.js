import { defineConfig } from '@playwright/test';

export default defineConfig({
  // The app is configured for one port, and one worker has it.
  workers: 1,
  use: {
    baseURL: 'http://127.0.0.1:4180',
    launchOptions: { executablePath: process.env.CHROMIUM },
  },
  webServer: {
    command: 'node server.js',
    url: 'http://127.0.0.1:4180',
    env: { POSTHOG_HOST: 'http://127.0.0.1:2899', POSTHOG_KEY: 'phc_burrow_test', PORT: '4180' },
  },
});
