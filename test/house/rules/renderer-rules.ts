import ts from 'typescript';
import type { Import } from '../module.ts';
import { checkImports, checkLines, checkNodes, isTest, type Rule } from '../rule.ts';

/**
 * The layers of the console and what each may import; 'root' is main.ts, App.vue and the files beside them, 'shell' the
 * frame around every screen, which shows the router's list of them.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  root: ['root', 'router', 'shell', 'screens', 'stores', 'api', 'composables', 'ui'],
  router: ['screens', 'stores'],
  shell: ['router', 'shell', 'insights', 'stores', 'api', 'composables', 'ui'],
  screens: ['insight editor', 'components', 'insights', 'stores', 'api', 'composables', 'ui'],
  'insight editor': ['insight editor', 'components', 'insights', 'stores', 'api', 'composables', 'ui'],
  components: ['components', 'insights', 'stores', 'api', 'composables', 'ui'],
  insights: ['insights', 'ui'],
  reference: ['api', 'ui'],
  'shared-page': ['insights', 'api', 'ui'],
  stores: ['stores', 'api', 'composables'],
  composables: ['composables', 'api', 'ui'],
  api: ['api'],
  ui: ['ui'],
};

/** Panels in which an insight is edited; what else lies in renderer/insights also draws the page behind shared links. */
const INSIGHT_EDITOR = /^renderer\/insights\/(editor\/|[\w-]+\/\w+Settings\.vue$)/;

/** The part of the console that a file belongs to: the screens of one noun, or one of the shared folders. */
function placeOf(path: string): { layer: string; part: string } | null {
  const [top, layer, part] = path.split('/');
  if (top !== 'renderer') return null;
  if (path === 'renderer/router.ts') return { layer: 'router', part: '' };
  if (INSIGHT_EDITOR.test(path)) return { layer: 'insight editor', part: '' };
  if (part === undefined || layer === undefined) return { layer: 'root', part: '' };
  return { layer, part: layer === 'screens' ? part : '' };
}

const layers: Rule = {
  sentence:
    'inside the console, screens use insights, components, stores, api, composables and ui; insights use ui; ui uses ui',
  check: (project) =>
    checkImports(project, (from, { file }) => {
      const here = placeOf(from);
      const there = file === null ? null : placeOf(file);
      if (here === null || there === null || isTest(from)) return null;
      if (here.layer === there.layer && here.part === there.part) return null;
      if (here.layer === there.layer && here.part !== '') {
        return `A folder of ${here.layer} may not import another (${file}). Move the shared part to renderer/ui, renderer/components or renderer/composables.`;
      }
      const allowed = MAY_IMPORT[here.layer];
      if (allowed === undefined)
        return `renderer/${here.layer}/ is no layer of the console. Use one that is.`;
      if (allowed.includes(there.layer)) return null;
      return `renderer/${here.layer} may not import ${file}. Pass it in as a prop, or move it down.`;
    }),
  broken: [
    {
      files: {
        'renderer/ui/AButton.vue': `<script setup lang="ts">\nimport { a } from '../stores/session.store.ts';\n</script>`,
      },
      at: 'renderer/ui/AButton.vue:2',
    },
    {
      files: { 'renderer/screens/live/a.ts': `import { a } from '../connect/a.ts';` },
      at: 'renderer/screens/live/a.ts:1',
    },
    {
      files: { 'renderer/insights/paths/index.ts': `import { a } from '../../api/http.ts';` },
      at: 'renderer/insights/paths/index.ts:1',
    },
    { files: { 'renderer/api/http.ts': `import { a } from '../router.ts';` }, at: 'renderer/api/http.ts:1' },
    {
      files: {
        'renderer/insights/paths/PathsResult.vue': `<script setup lang="ts">\nimport A from './PathsSettings.vue';\n</script>`,
        'renderer/insights/paths/PathsSettings.vue': '<script setup lang="ts"></script>',
      },
      at: 'renderer/insights/paths/PathsResult.vue:2',
    },
    { files: { 'renderer/things/a.ts': `import { a } from '../ui/a.ts';` }, at: 'renderer/things/a.ts:1' },
  ],
  kept: [
    {
      'renderer/screens/live/a.ts': `import { a } from '../../stores/session.store.ts';\nimport { b } from './b.ts';`,
    },
    { 'renderer/router.ts': `import { a } from './screens/live/index.ts';` },
    { 'renderer/ui/a.ts': `import { b } from './b.ts';` },
    {
      'renderer/shell/AppSidebar.vue': `<script setup lang="ts">\nimport { a } from '../router.ts';\n</script>`,
    },
  ],
};

const NETWORK = new Set(['fetch', 'EventSource', 'WebSocket', 'XMLHttpRequest', 'sendBeacon']);

/**
 * Besides the console, commands and assistants send requests to the server of this machine, and `server/outgoing` those to other
 * machines that an owner has turned on.
 */
const NETWORK_HOMES = /^renderer\/api\/|^server\/(console-link|http\/local-request|outgoing\/[\w-]+)\.ts$/;
/** What sends a request or opens a connection, by the modules of Node.js; `default` is all of a module. */
const SENDERS: Readonly<Record<string, RegExp>> = {
  http: /^(request|get|ClientRequest|Agent|globalAgent|WebSocket|default)$/,
  https: /^(request|get|Agent|globalAgent|default)$/,
  http2: /^(connect|default)$/,
  net: /^(connect|createConnection|Socket|Stream|default)$/,
  tls: /^(connect|TLSSocket|default)$/,
  dgram: /./,
  dns: /./,
  'dns/promises': /./,
  // With it, any of these is loaded.
  module: /^(createRequire|default)$/,
};

/** Does an import bring what sends a request? One without names brings the whole module. */
function bringsSender({ specifier, typeOnly, names }: Import): boolean {
  const senders = SENDERS[specifier.replace(/^node:/, '')];
  if (senders === undefined || typeOnly) return false;
  return names.length === 0 || names.some((name) => senders.test(name));
}

const mayNotSend = (path: string): boolean =>
  /^(renderer|server)\//.test(path) && !NETWORK_HOMES.test(path) && !isTest(path);

const network: Rule = {
  sentence: 'only renderer/api sends requests, and of the server only server/outgoing to other machines',
  check: (project) => [
    ...checkImports(project, (from, imported) =>
      mayNotSend(from) && bringsSender(imported)
        ? 'Only server/outgoing sends requests to other machines, and server/http/local-request.ts to this server. Types are imported by `import type`.'
        : null,
    ),
    ...checkNodes(project, mayNotSend, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return null;
      const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      if (!ts.isIdentifier(callee) || !NETWORK.has(callee.text)) return null;
      return `${callee.text} is called only in renderer/api. Add a function there and call that.`;
    }),
  ],
  broken: [
    { files: { 'renderer/screens/live/a.ts': `await fetch('/api/');` }, at: 'renderer/screens/live/a.ts:1' },
    {
      files: { 'renderer/A.vue': `<script setup lang="ts">\nconst a = new EventSource('/');\n</script>` },
      at: 'renderer/A.vue:2',
    },
    { files: { 'server/lib/a.ts': `globalThis.fetch('https://example.com');` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { request as a } from 'node:https';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import * as http from 'node:http';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { connect } from 'node:net';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { Socket } from 'node:net';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { TLSSocket } from 'tls';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { ClientRequest } from 'node:http';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { createSocket } from 'node:dgram';` }, at: 'server/lib/a.ts:1' },
    {
      files: { 'server/lib/a.ts': `import { resolve4 } from 'node:dns/promises';` },
      at: 'server/lib/a.ts:1',
    },
    { files: { 'server/lib/a.ts': `import { default as a } from 'node:http';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `export { request } from 'node:http';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `export * from 'node:http';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `const a = await import('node:http');` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `import { createRequire } from 'node:module';` }, at: 'server/lib/a.ts:1' },
    { files: { 'server/lib/a.ts': `process.getBuiltinModule('node:http');` }, at: 'server/lib/a.ts:1' },
    {
      files: { 'server/features/a/outgoing.ts': `import { request } from 'node:http';` },
      at: 'server/features/a/outgoing.ts:1',
    },
  ],
  kept: [
    { 'renderer/api/http.ts': `await fetch('/api/');` },
    { 'server/outgoing/a.ts': `import { request } from 'node:http';` },
    { 'renderer/a.ts': `const fetched = prefetch();` },
    { 'server/lib/a.ts': `import { createServer, type IncomingMessage } from 'node:http';` },
    { 'server/lib/a.ts': `import type { Socket } from 'node:net';\nimport { isIP } from 'node:net';` },
  ],
};

/** Where files are found by glob, besides the root. Shared pages use `KINDS` too, so it cannot import the panels of the editor. */
const GLOB_HOMES = [
  'renderer/insights/editor/settings.ts',
  'renderer/composables/resources.ts',
  'renderer/composables/guide-texts.ts',
];

const globs: Rule = {
  sentence: 'screens, resources and settings of insights are found by glob in one place each',
  check: (project) =>
    checkNodes(
      project,
      (path) => /^renderer\/\w+\/./.test(path) && !GLOB_HOMES.includes(path) && !isTest(path),
      (node) =>
        ts.isPropertyAccessExpression(node) && node.name.text === 'glob' && ts.isMetaProperty(node.expression)
          ? `import.meta.glob goes around the import rules. It stands only in files at the root of renderer/ and in ${GLOB_HOMES.join(' and ')}.`
          : null,
    ),
  broken: [
    {
      files: { 'renderer/ui/a.ts': `const all = import.meta.glob('../screens/*/index.ts');` },
      at: 'renderer/ui/a.ts:1',
    },
  ],
  kept: [
    { 'renderer/router.ts': `const all = import.meta.glob('./screens/*/index.ts');` },
    { [GLOB_HOMES[0]!]: `const all = import.meta.glob('../*/KindSettings.vue');` },
    { [GLOB_HOMES[1]!]: `const all = import.meta.glob('../screens/*/resource.ts');` },
  ],
};

/** The graph of imports does not see a glob: a circle over it would stop the console when it starts. */
const resources: Rule = {
  sentence: 'resource.ts of a screen takes only types from what may import all resources',
  check: (project) =>
    checkImports(project, (from, { file, typeOnly }) =>
      /^renderer\/screens\/.*\/resource\.ts$/.test(from) &&
      file !== null &&
      /^renderer\/(?:components|composables|stores)\//.test(file) &&
      !typeOnly
        ? `${file} may import composables/resources.ts, which imports this file. Write \`import type\`, or move the value to renderer/ui.`
        : null,
    ),
  broken: [
    {
      files: {
        'renderer/screens/flags/resource.ts': `import { a } from '../../composables/resources.ts';`,
      },
      at: 'renderer/screens/flags/resource.ts:1',
    },
  ],
  kept: [
    {
      'renderer/screens/flags/resource.ts': `import { b } from '../../api/flags.api.ts';\nimport type { A } from '../../composables/resources.ts';`,
    },
  ],
};

/** Hexadecimal and functional colours; not a slot (`#head`) or an anchor. */
const RAW_COLOUR =
  /[:\s"'(,]#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![-\w=>])|\b(rgb|hsl)a?\(|\bokl(ch|ab)\(/i;

const colours: Rule = {
  sentence: 'raw colors are only in renderer/ui/tokens.css',
  check: (project) =>
    checkLines(
      project,
      (path) => /^renderer\/.*\.(vue|css)$/.test(path) && path !== 'renderer/ui/tokens.css',
      (line) =>
        RAW_COLOUR.test(line) && !/<template #|href="#/.test(line)
          ? 'A colour of its own breaks one of the two themes. Use a token, or add one to renderer/ui/tokens.css.'
          : null,
    ),
  broken: [
    { files: { 'renderer/ui/a.css': 'a {\n  color: #ffcc00;\n}' }, at: 'renderer/ui/a.css:2' },
    {
      files: { 'renderer/ui/A.vue': '<style>\na { color: rgb(0 0 0); }\n</style>' },
      at: 'renderer/ui/A.vue:2',
    },
  ],
  kept: [
    { 'renderer/ui/tokens.css': ':root { --text: #111; }' },
    { 'renderer/ui/A.vue': '<template><B><template #add>x</template></B><a href="#abc">x</a></template>' },
  ],
};

const OUTSIDE =
  /\bsrc="https?:|<link[^>]+https?:|url\(\s*['"]?https?:|@import\s+['"]?https?:|\b(app|us|eu|i)\.posthog\.com/;

const outside: Rule = {
  sentence: 'no file is loaded from outside this machine, and no code has a URL of PostHog’s servers',
  check: (project) =>
    checkLines(
      project,
      (path) => /^(renderer|server|electron)\/.*\.(vue|css|html|[mc]?[jt]s)$/.test(path) && !isTest(path),
      (line) =>
        OUTSIDE.test(line)
          ? 'Burrow works offline and sends nothing anywhere. Bundle it, or leave it out.'
          : null,
    ),
  broken: [
    {
      files: { 'renderer/index.html': '<script src="https://example.com/a.js"></script>' },
      at: 'renderer/index.html:1',
    },
    {
      files: { 'renderer/ui/a.css': `a { background: url(https://example.com/a.png); }` },
      at: 'renderer/ui/a.css:1',
    },
    { files: { 'server/a.ts': `const host = 'https://us.i.posthog.com';` }, at: 'server/a.ts:1' },
  ],
  kept: [{ 'renderer/A.vue': '<template><a href="https://posthog.com/docs">Documents</a></template>' }],
};

export const rendererRules: readonly Rule[] = [layers, network, globs, resources, colours, outside];
