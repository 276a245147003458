// Called by electron-builder (electron-builder.yml) when the files of a package lie in their folder, before it is signed and packed.
import { chmod, copyFile, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The launchers of resources/linux; the one of the app has the name that electron-builder gives the program. */
const LAUNCHERS = ['burrow', 'burrow-desktop'];

/** Parts that no bundler lists: files that are copied, fonts that a style sheet names, and what stays outside of the bundles. */
const COPIED = [
  '@duckdb/node-api',
  '@duckdb/node-bindings',
  '@fontsource-variable/inter',
  '@fontsource-variable/jetbrains-mono',
  '@ip-location-db/geo-whois-asn-country-mmdb',
  'posthog-js',
];

/** Of electron-builder's numbers for processors, those that packages are for. */
const PROCESSORS = { 1: 'x64', 3: 'arm64' };

export async function afterPack(context) {
  const { appOutDir, electronPlatformName, packager } = context;
  const isLinux = electronPlatformName === 'linux';
  checkBinding(context);
  // Decision 112: only on Linux the program may run as Node.js, for the command line.
  const fuses = await packager.generateFuseConfig({
    runAsNode: isLinux,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
  await packager.addElectronFuses(context, fuses);
  await writeFile(join(packager.getResourcesDir(appOutDir), 'THIRD-PARTY-NOTICES.md'), await readNotices());
  if (isLinux) await addLaunchers(appOutDir);
}

/** npm installs DuckDB for its own system alone, and a package without it is found out by its user. */
function checkBinding({ appOutDir, arch, electronPlatformName: os, packager }) {
  const name = `@duckdb/node-bindings-${os}-${PROCESSORS[arch]}`;
  const resources = packager.getResourcesDir(appOutDir);
  if (existsSync(join(resources, 'app.asar.unpacked/node_modules', name, 'duckdb.node'))) return;
  throw new Error(`${name} is missing. Install it first: npm ci --os=${os} --cpu=${PROCESSORS[arch]}`);
}

async function addLaunchers(folder) {
  await rename(join(folder, 'burrow-desktop'), join(folder, 'burrow-desktop.bin'));
  for (const name of LAUNCHERS) {
    await copyFile(join('resources/linux', name), join(folder, name));
    await chmod(join(folder, name), 0o755);
  }
}

/** The licences of everything in the package but Electron, which brings its own files; each part once. */
export async function readNotices() {
  const parts = new Map();
  for (const file of (await readdir('dist', { recursive: true })).filter((name) =>
    /THIRD-PARTY-NOTICES[\w.]*\.md$/.test(name),
  ))
    for (const [title, text] of sectionsOf(await readFile(join('dist', file), 'utf8')))
      parts.set(title, text);
  for (const name of COPIED) {
    const folder = join('node_modules', name);
    const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    parts.set(`${name} - ${version} (${license})`, await licenseIn(folder));
  }
  const list = [...parts].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const sections = list.map(([title, text]) => `## ${title}\n\n${text.trim()}\n`);
  return `# Parts by others\n\nBurrow contains these packages, under their licences.\n\n${sections.join('\n')}`;
}

/** Titles as Vite writes them: `name - version (license)`. A license text may have headings of its own. */
function sectionsOf(text) {
  return text
    .split(/^## (?=\S+ - \d[^\n]*\)$)/m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section.slice(section.indexOf('\n'))]);
}

async function licenseIn(folder) {
  const name = ['LICENSE', 'LICENSE.md', 'NRO_LICENSE'].find((file) => existsSync(join(folder, file)));
  if (name === undefined) throw new Error(`${folder} has no licence file.`);
  return await readFile(join(folder, name), 'utf8');
}
