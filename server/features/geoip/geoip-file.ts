import { readFileSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Reader, type Response } from 'mmdb-lib';
import { geoipProperties, type GeoipProperties } from './geoip-properties.ts';
import { recordsOf } from './mmdb-records.ts';

/** A file cannot be used to find places; `message` is a sentence that names it. */
export class GeoipFileError extends Error {}

/** An open .mmdb file. */
export interface GeoipFile {
  readonly path: string;
  /** What the file calls itself: `GeoLite2-City`. */
  readonly databaseType: string;
  /** When its data were put together (ISO 8601), or null when it does not say. */
  readonly builtAt: string | null;
  /** What it has of an address, IPv4 or IPv6; null when that is nothing. */
  find(address: string): GeoipProperties | null;
}

/** Larger files are no files of places: the largest ones take a few hundred megabytes. */
const MAX_BYTES = 2_000_000_000;
/** When so many records name no place, the file is about something else (networks, domains). */
const RECORDS_LOOKED_AT = 1_000;

/** Opens a file of places. Throws GeoipFileError for what is missing, unreadable, damaged or of another kind. */
export async function openGeoipFile(path: string): Promise<GeoipFile> {
  try {
    checkStats(await stat(path));
    return fileOf(path, await readFile(path));
  } catch (error) {
    throw problemOf(path, error);
  }
}

/** The same without waiting: for the moment in which the first address is looked up. */
export function openGeoipFileNow(path: string): GeoipFile {
  try {
    checkStats(statSync(path));
    return fileOf(path, readFileSync(path));
  } catch (error) {
    throw problemOf(path, error);
  }
}

/** A device or a pipe would never end. */
function checkStats(stats: Stats): void {
  if (!stats.isFile()) throw new Unusable('is not a file');
  if (stats.size > MAX_BYTES) throw new Unusable('is too large for a GeoIP file');
}

/** Why a file is refused, as the end of a sentence that begins with its path. */
class Unusable extends Error {}

function problemOf(path: string, error: unknown): GeoipFileError {
  if (error instanceof Unusable) return new GeoipFileError(`${path} ${error.message}.`);
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new GeoipFileError(`${path} does not exist.`);
  if (code === 'EACCES' || code === 'EPERM') return new GeoipFileError(`${path} is not readable.`);
  if (code === undefined || code.startsWith('ERR_')) {
    return new GeoipFileError(`${path} is not a file in MaxMind's .mmdb format, or it is damaged.`);
  }
  return new GeoipFileError(`${path} cannot be read (${code}).`);
}

function fileOf(path: string, bytes: Buffer): GeoipFile {
  const reader = new Reader<Response>(bytes);
  const { databaseType, buildEpoch, ipVersion } = reader.metadata;
  let isAboutPlaces = false;
  let looked = 0;
  for (const record of recordsOf(reader)) {
    isAboutPlaces = isFilled(geoipProperties(record));
    if (isAboutPlaces || ++looked === RECORDS_LOOKED_AT) break;
  }
  if (!isAboutPlaces) throw new Unusable(`(${databaseType}) has no countries or cities`);
  return {
    path,
    databaseType,
    builtAt: Number.isNaN(buildEpoch.getTime()) ? null : buildEpoch.toISOString(),
    find(address) {
      // The reader would take the first 32 bits for an IPv4 address.
      if (ipVersion === 4 && address.includes(':')) return null;
      const properties = geoipProperties(recordOf(reader, address));
      return isFilled(properties) ? Object.freeze(properties) : null;
    },
  };
}

/** Damage in the midst of a file is met only by the addresses that lead there; no event is refused for it. */
function recordOf(reader: Reader<Response>, address: string): unknown {
  try {
    return reader.get(address);
  } catch {
    return null;
  }
}

function isFilled(properties: GeoipProperties): boolean {
  return Object.keys(properties).length > 0;
}
