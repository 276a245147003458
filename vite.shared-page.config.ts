import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/**
 * The page behind shared links, apart from the console: it is served to everybody who has a link, under every host name,
 * and so are its files, which lie in one folder of their own.
 */
export default defineConfig({
  root: 'renderer',
  base: '/shared/',
  publicDir: false,
  plugins: [vue()],
  build: {
    outDir: '../dist/shared-page',
    emptyOutDir: true,
    target: 'chrome130',
    cssTarget: 'chrome130',
    // Its content security policy allows files of its own alone, so none may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: 'renderer/shared-page.html' },
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
  },
});
