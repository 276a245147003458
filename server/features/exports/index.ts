import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature } from '../../http/define-route.ts';
import { exportRoutes } from './exports.routes.ts';
import { createExports, type ExportParts } from './exports.service.ts';

export type { ExportJson } from './exports.contract.ts';

export function exportsFeature(
  needs: Omit<ExportParts, 'folder'> & { config: { ephemeral: boolean; dataDir: string } },
): Feature {
  const { config, newId, projects } = needs;
  const folder = config.ephemeral
    ? join(tmpdir(), `burrow-project-exports-${newId()}`)
    : join(config.dataDir, 'project-exports');
  const exports = createExports({ ...needs, folder });
  return { name: 'exports', routes: exportRoutes(exports, projects), close: exports.close };
}
