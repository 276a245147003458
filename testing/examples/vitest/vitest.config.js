import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { setupFiles: ['burrow-analytics/testing/vitest'] },
});
