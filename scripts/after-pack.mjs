// Called by electron-builder (electron-builder.yml) when the files of a package lie in their folder, before it is signed and packed.
import { chmod, copyFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { collectLicences } from './documents.mjs';

/** The launchers of resources/linux; the one of the app has the name that electron-builder gives the program. */
const LAUNCHERS = ['burrow', 'burrow-desktop'];

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
  await writeFile(join(packager.getResourcesDir(appOutDir), 'THIRD-PARTY-NOTICES.md'), await noticesText());
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

/** The same list as in the Help menu, as text; Electron brings its own files besides. */
async function noticesText() {
  const licences = await collectLicences();
  const sections = licences.map(
    ({ name, version, kind, text }) => `## ${name} - ${version} (${kind})\n\n${text}\n`,
  );
  return `# Parts by others\n\nBurrow contains these packages, under their licences.\n\n${sections.join('\n')}`;
}
