import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entityTag } from '../../http/entity-tag.ts';

export interface Asset {
  bytes: Buffer;
  /** Strong entity tag, quoted, derived from the content. */
  etag: string;
}

export interface AssetFolder {
  /** The file of that exact name, or null when the folder held none at the start. */
  find(name: string): Promise<Asset | null>;
}

/**
 * The scripts (`*.js`) of one folder. Names are read once, at the start, and a request can only pick one of them, so
 * no path can lead out of the folder. A file is read on its first request and cached. A missing folder holds nothing.
 */
export function openAssetFolder(folder: string): AssetFolder {
  const names = new Set(listScripts(folder));
  const kept = new Map<string, Promise<Asset>>();

  return {
    async find(name) {
      if (!names.has(name)) return null;
      let asset = kept.get(name);
      if (asset === undefined) {
        asset = readFile(join(folder, name)).then((bytes) => ({ bytes, etag: entityTag(bytes) }));
        kept.set(name, asset);
        asset.catch(() => kept.delete(name));
      }
      return asset;
    },
  };
}

function listScripts(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.js'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
