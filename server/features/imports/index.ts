import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature } from '../../http/define-route.ts';
import { createImportFolder } from './import-folder.ts';
import { importRoutes } from './imports.routes.ts';
import { createImports, type ImportParts, type Imports } from './imports.service.ts';
import { readHere, readInThreads } from './start-reader.ts';

export type { Imports, ShownImport } from './imports.service.ts';
export type { ImportJson, ImportPreviewJson } from './imports.contract.ts';

export async function importsFeature(
  needs: Omit<ImportParts, 'folder' | 'reader'> & {
    config: { ephemeral: boolean; dataDir: string };
    /** The file of the thread that reads; null: it is read here. */
    importUrl: URL | null;
  },
): Promise<Feature & { imports: Imports }> {
  const { config, importUrl, newId } = needs;
  // A database in memory keeps its files no longer than itself.
  const path = config.ephemeral
    ? join(tmpdir(), `burrow-imports-${newId()}`)
    : join(config.dataDir, 'imports');
  const folder = createImportFolder(path);
  const reader = importUrl === null ? readHere : readInThreads(importUrl);
  const imports = createImports({ ...needs, folder, reader });
  await imports.resume();
  return {
    name: 'imports',
    imports,
    routes: importRoutes(imports, needs),
    async close() {
      await imports.close();
      if (config.ephemeral) await folder.removeAll();
    },
  };
}
