import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Marked } from 'marked';

const FOLDER = 'dist/documents';
/** Pages of docs/ for users, in the order in which they are read. */
const HELP = [
  'README.md',
  'docs/options.md',
  'docs/api.md',
  'docs/assistants.md',
  'docs/desktop.md',
  'docs/differences.md',
  'docs/performance.md',
  'docs/reliability.md',
];
/** What the desktop shell opens in the browser (electron/desktop/navigation.ts); other links would lead nowhere. */
const KNOWN_LINKS = /^https:\/\/(posthog\.com\/docs|github\.com\/PostHog\/|duckdb\.org\/docs)/;
/** What no bundler lists: modules that are loaded from node_modules, files that are copied, and fonts that a style sheet names. */
const BESIDE = [
  'node_modules/@duckdb',
  'node_modules/@fontsource-variable/inter',
  'node_modules/@fontsource-variable/jetbrains-mono',
  'node_modules/electron',
  'node_modules/posthog-js',
  'node_modules/@ip-location-db/geo-whois-asn-country-mmdb',
];

/**
 * @typedef {object} Licence
 * @property {string} name
 * @property {string} version
 * @property {string} kind An SPDX expression.
 * @property {string} text Empty: the package has no licence file.
 */

/**
 * The licences of all that is shipped: of what Vite has bundled into dist, and of the packages that lie beside. Needs the
 * other parts of `npm run build`. Sorted by name, each package once.
 * @returns {Promise<Licence[]>}
 */
export async function collectLicences() {
  const found = [...(await bundledLicences()), ...(await licencesBeside())];
  const once = new Map(found.map((licence) => [`${licence.name} ${licence.version}`, licence]));
  return [...once.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Writes the pages that the desktop app's Help menu opens; each is one file that loads nothing. */
export async function writeDocuments() {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const licences = await collectLicences();
  await mkdir(FOLDER, { recursive: true });
  await writeFile(join(FOLDER, 'licences.html'), page('Licenses', licencesHtml(licences)));
  await writeFile(
    join(FOLDER, 'release-notes.html'),
    page('Release notes', article('changelog', await readFile('CHANGELOG.md', 'utf8'), new Set())),
  );
  await writeFile(join(FOLDER, 'help.html'), page('Burrow help', await helpHtml()));
  await writeFile(join(FOLDER, 'about.html'), page('About Burrow', aboutHtml(version)));
}

/** Vite's lists have one heading for each package: `## name - 1.2.3 (MIT)`. */
async function bundledLicences() {
  const licences = [];
  for (const folder of await readdir('dist', { withFileTypes: true })) {
    if (!folder.isDirectory()) continue;
    for (const name of await readdir(join('dist', folder.name))) {
      if (!name.startsWith('THIRD-PARTY-NOTICES')) continue;
      const text = await readFile(join('dist', folder.name, name), 'utf8');
      for (const part of text.split(/^(?=## \S+ - \S+ \(.*\)$)/m).slice(1)) {
        const [heading = '', ...lines] = part.split('\n');
        const [, packageName = '', version = '', kind = ''] =
          /^## (\S+) - (\S+) \((.*)\)$/.exec(heading) ?? [];
        licences.push({ name: packageName, version, kind, text: lines.join('\n').trim() });
      }
    }
  }
  return licences;
}

async function licencesBeside() {
  const folders = [];
  for (const folder of BESIDE) {
    if (existsSync(join(folder, 'package.json'))) folders.push(folder);
    else for (const name of await readdir(folder)) folders.push(join(folder, name));
  }
  return Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
      const file = (await readdir(folder)).find((one) => /^(NRO_)?licen[cs]e(\.\w+)?$/i.test(one));
      const text = file === undefined ? '' : await readFile(join(folder, file), 'utf8');
      return { name, version, kind: license ?? 'see its text', text: text.trim() };
    }),
  );
}

function licencesHtml(licences) {
  const entries = licences.map(
    ({ name, version, kind, text }) =>
      `<details><summary><b>${escapeHtml(name)}</b> ${escapeHtml(version)} <i>${escapeHtml(kind)}</i></summary><pre>${escapeHtml(
        text || 'This package has no license file of its own.',
      )}</pre></details>`,
  );
  return `<h1>Licenses</h1>
<p>Burrow is open source under the MIT license. It contains ${licences.length} packages of others, each with its license.</p>
<p><a href="burrow:chromium-licenses">Licenses of Chromium</a>, which Electron contains, are in a file of their own.</p>
${entries.join('\n')}`;
}

function aboutHtml(version) {
  return `<header class="about">
<svg viewBox="0 0 16 16" width="56" height="56" aria-hidden="true"><path fill="currentColor" fill-rule="evenodd" d="M1 15V8a7 7 0 0 1 14 0v7zM4 11v4h2v-4zm3-3v7h2V8zm3-3v10h2V5z"/></svg>
<h1>Burrow ${escapeHtml(version)}</h1>
<p>Product analytics on your own machine.</p>
</header>
<dl><!--versions--></dl>
<p class="buttons"><a href="burrow:release-notes">Release notes</a> <a href="burrow:licences">Licenses</a></p>
<p class="soft">MIT license. Burrow is not affiliated with PostHog.</p>`;
}

async function helpHtml() {
  const ids = new Set(HELP.map(idOf));
  const texts = await Promise.all(HELP.map((file) => readFile(file, 'utf8')));
  const titles = texts.map((text) => /^# (.+)$/m.exec(text)?.[1] ?? '');
  const list = HELP.map(
    (file, index) => `<li><a href="#${idOf(file)}">${escapeHtml(titles[index])}</a></li>`,
  );
  return `<nav aria-label="Pages"><ul>${list.join('')}</ul></nav>
${HELP.map((file, index) => article(idOf(file), texts[index], ids)).join('\n')}`;
}

/** A page of docs/ as a part of one long page: its links lead to the other parts, or are plain text. */
function article(id, markdown, ids) {
  const marked = new Marked({
    renderer: {
      image: () => '',
      html: () => '',
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const part = idOf(href.split('#')[0]);
        if (href.endsWith('.md') && ids.has(part)) return `<a href="#${part}">${text}</a>`;
        return KNOWN_LINKS.test(href) ? `<a href="${escapeHtml(href)}">${text}</a>` : text;
      },
    },
  });
  return `<article id="${id}">${marked.parse(markdown)}</article>`;
}

function idOf(file) {
  return basename(file, '.md').toLowerCase();
}

function page(title, body) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
<main>
${body}
</main>
</html>
`;
}

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const STYLE = `
:root { color-scheme: light dark; --canvas: light-dark(#fcfbf9, #11100f); --ink: light-dark(#1d1a17, #efece7); --soft: light-dark(#69625a, #9f988f); --line: light-dark(#d8d2c9, #393632); --code: light-dark(#f2efea, #1e1c1a); --link: light-dark(#8a5600, #f0ac3a); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--canvas); color: var(--ink); font: 14px/1.55 Inter, system-ui, sans-serif; }
main { max-width: 820px; margin: 0 auto; padding: 24px; }
h1 { font-size: 20px; margin: 8px 0 12px; } h2 { font-size: 16px; margin: 28px 0 8px; } h3 { font-size: 14px; margin: 20px 0 4px; }
p, ul, ol, dl, pre, table { margin: 0 0 12px; } ul, ol { padding-left: 20px; } li { margin: 2px 0; }
a { color: var(--link); } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre { font: 12px/1.5 'JetBrains Mono', ui-monospace, monospace; } code { padding: 1px 4px; border-radius: 4px; background: var(--code); }
pre { padding: 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--code); white-space: pre-wrap; overflow-wrap: anywhere; } pre code { padding: 0; }
table { width: 100%; border-collapse: collapse; } th, td { padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere; }
article + article { margin-top: 40px; padding-top: 24px; border-top: 1px solid var(--line); }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 24px; padding: 0 0 12px; border-bottom: 1px solid var(--line); list-style: none; }
details { border-bottom: 1px solid var(--line); padding: 6px 0; } summary { cursor: default; } summary i, .soft { color: var(--soft); font-style: normal; } details pre { margin: 8px 0; }
.about { text-align: center; padding-top: 12px; } .about p, .buttons { color: var(--soft); text-align: center; }
.buttons { display: flex; justify-content: center; gap: 8px; } .buttons a { padding: 4px 12px; border: 1px solid var(--line); border-radius: 6px; color: var(--ink); text-decoration: none; font-weight: 500; }
dl { display: grid; grid-template-columns: auto auto; justify-content: center; gap: 2px 16px; } dt { color: var(--soft); } dd { margin: 0; font-variant-numeric: tabular-nums; user-select: text; }
main > .soft { text-align: center; }
@media print { :root { color-scheme: light; } body { background: none; } main { max-width: none; padding: 0; } details::details-content { content-visibility: visible; } }`;
