import { fileURLToPath } from 'node:url';
import vue from '@vitejs/plugin-vue';
import { defineConfig, type Plugin, type ProxyOptions } from 'vite';

/** Where `npm run dev` expects the Burrow server. */
const SERVER_URL = 'http://127.0.0.1:2877';

/** Everything that the server answers itself; the rest belongs to the console. */
const SERVER_PATHS = [
  '/api',
  '/openapi.json',
  '/capture',
  '/batch',
  '/e',
  '/i',
  '/track',
  '/engage',
  '/decide',
  '/flags',
  '/array',
  '/static',
  '/shared',
  '/shared_dashboard',
  '/embedded',
  '/_liveness',
  '/_readiness',
];

/** Passes a path on, with the Host and Origin that the server's checks expect of its own console. */
const toServer: ProxyOptions = {
  target: SERVER_URL,
  changeOrigin: true,
  // The console's own modules under renderer/api have addresses of the same beginning.
  bypass: ({ url }) => (url !== undefined && /\.(ts|vue)(\?|$)/.test(url) ? url : undefined),
  configure: (proxy) => {
    proxy.on('proxyReq', (request) => {
      if (request.hasHeader('origin')) request.setHeader('origin', SERVER_URL);
    });
  },
};

/** The two files that Latin text needs; the others are loaded when a page shows their letters. */
const FIRST_FONTS = /(?:inter-latin-opsz|jetbrains-mono-latin-wght)-normal-[\w-]+\.woff2$/;

/** Asks for the first fonts along with the styles, so that text is not drawn twice. */
const preloadFonts: Plugin = {
  name: 'preload-fonts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => FIRST_FONTS.test(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
        })),
  },
};

/** The pages themselves, and what the page of the API's reference needs: no page shall load another. */
const OF_PAGES =
  /renderer\/(?:main\.ts$|reference\/|api\/api-document)|swagger-ui|\.html$|(?<!\.vue.*)\.css$/;
/** What a few screens draw with, too large for all of them. */
const LARGE =
  /CodeEditor|code-editor-theme|CountryMap|world-(?:map|shapes)|answers\/hogql|MarkdownText|markdown-nodes/;
/** Parts of the screens that as many share have one file: of dozens of small ones each costs a request, and none is small. */
const SHARED_BY = 4;

export default defineConfig({
  root: 'renderer',
  // No component has options: Vue without them is smaller.
  plugins: [vue({ features: { optionsAPI: false } }), preloadFonts],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    cssTarget: 'chrome130',
    // The content security policy allows fonts from 'self' only, so no asset may become a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((page) =>
        fileURLToPath(new URL(`renderer/${page}`, import.meta.url)),
      ),
      output: {
        codeSplitting: {
          groups: [
            { name: 'api', test: /renderer\/api\/http\.ts$/, priority: 5 },
            { name: 'base', tags: ['$initial'], test: (id) => !OF_PAGES.test(id), priority: 4 },
            { name: 'icons', test: /@lucide/, priority: 3 },
            {
              name: 'charts',
              test: (id) => /renderer\/ui\/(?:answers|charts)\//.test(id) && !LARGE.test(id),
              priority: 2,
            },
            {
              name: 'shared',
              test: (id) =>
                /renderer\/(?!screens|reference)|reka-ui/.test(id) && !OF_PAGES.test(id) && !LARGE.test(id),
              minShareCount: SHARED_BY,
              priority: 1,
            },
          ],
        },
      },
    },
    // The reference of the API is one piece of 1.5 MB, which its own page alone loads.
    chunkSizeWarningLimit: 1_600,
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [`^${path}(/|\\?|$)`, toServer])),
  },
});
