import type { Log } from '../../lib/log.ts';
import { GeoipFileError, openGeoipFile, openGeoipFileNow, type GeoipFile } from './geoip-file.ts';
import { createGeoipLookup, type GeoipLookup } from './geoip-lookup.ts';
import type { GeoipAnswer, GeoipChoice } from './geoip-messages.ts';

/** What looks up addresses where events are taken in, and the orders that change the file it uses. */
export interface GeoipThread {
  readonly lookup: GeoipLookup;
  readonly calls: Readonly<Record<string, (message: never) => Promise<GeoipAnswer>>>;
}

interface InUse {
  lookup: GeoipLookup;
  file: () => GeoipFile | null;
}

/** Begins with the country file that came with the program, which is read when the first public address is seen. */
export function createGeoipThread(options: {
  countryFile: string;
  log: Log;
  /** Called when another file is in use. */
  onUse?: () => void;
}): GeoipThread {
  let inUse = builtIn();

  function builtIn(): InUse {
    let opened: GeoipFile | null | undefined;
    const file = (): GeoipFile | null => (opened === undefined ? (opened = openCountryFile()) : opened);
    return { lookup: createGeoipLookup(file, true), file };
  }

  function openCountryFile(): GeoipFile | null {
    try {
      return openGeoipFileNow(options.countryFile);
    } catch (error) {
      options.log.warn({ error: String(error) }, 'The country file cannot be read: events get no GeoIP');
      return null;
    }
  }

  async function inUseOf(choice: GeoipChoice): Promise<InUse> {
    if (choice.source === 'city') {
      const opened = await openGeoipFile(choice.file);
      return { lookup: createGeoipLookup(() => opened, false), file: () => opened };
    }
    return choice.source === 'country' ? builtIn() : { lookup: () => null, file: () => null };
  }

  function describe(problem: string | null): GeoipAnswer {
    const file = inUse.file();
    return { databaseType: file?.databaseType ?? null, builtAt: file?.builtAt ?? null, problem };
  }

  async function use(choice: GeoipChoice): Promise<GeoipAnswer> {
    try {
      inUse = await inUseOf(choice);
    } catch (error) {
      if (error instanceof GeoipFileError) return describe(error.message);
      throw error;
    }
    options.onUse?.();
    return describe(null);
  }

  return {
    lookup: (ip) => inUse.lookup(ip),
    calls: { 'geoip.use': use, 'geoip.describe': async () => describe(null) },
  };
}
