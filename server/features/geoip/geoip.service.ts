import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { ServiceChannel } from '../../db/client.ts';
import { fail } from '../../errors.ts';
import type { Log } from '../../lib/log.ts';
import type { ServerSettings } from '../server-settings/index.ts';
import { GeoipFileError, openGeoipFile } from './geoip-file.ts';
import { createGeoipLookup, type GeoipLookup } from './geoip-lookup.ts';
import type { GeoipAnswer, GeoipChoice, GeoipOrder } from './geoip-messages.ts';

const SETTING = 'geoip';
const savedChoice = z.discriminatedUnion('source', [
  z.object({ source: z.enum(['country', 'none']), file: z.null() }),
  z.object({ source: z.literal('city'), file: z.string() }),
]);
const BUILT_IN: GeoipChoice = { source: 'country', file: null };

export interface GeoipState extends GeoipAnswer {
  choice: GeoipChoice;
  setBy: 'option' | 'setting' | 'default';
}

export interface Geoip {
  /** Has the choice of the option or the setting used. Throws GeoipFileError for a file of the option. */
  load(): Promise<void>;
  read(): Promise<GeoipState>;
  /** Uses and keeps a choice. Throws invalid for a file that cannot be used, and while the option decides. */
  choose(choice: GeoipChoice): Promise<GeoipState>;
  /** A lookup for this thread, in the file that is in use now. */
  openLookup(): Promise<GeoipLookup>;
}

export interface GeoipDeps {
  /** To the thread in which events are taken in. */
  channel: ServiceChannel;
  settings: ServerSettings;
  /** Absolute path of `--geoip-file`, or null. */
  optionFile: string | null;
  /** The country file that comes with the program. */
  countryFile: string;
  log: Log;
}

/** Decides which file addresses are looked up in: the option's, else the setting's, else the built-in one. */
export function createGeoip({ channel, settings, optionFile, countryFile, log }: GeoipDeps): Geoip {
  let choice = BUILT_IN;
  let setBy: GeoipState['setBy'] = 'default';
  let problem: string | null = null;

  const ask = (order: GeoipOrder): Promise<GeoipAnswer> => channel.call<GeoipAnswer>(order);

  async function loadSetting(): Promise<void> {
    const saved = savedChoice.safeParse(await settings.find(SETTING));
    if (!saved.success) return;
    setBy = 'setting';
    choice = saved.data;
    ({ problem } = await ask({ kind: 'geoip.use', ...choice }));
    if (problem !== null) log.warn({ file: choice.file }, `${problem} The built-in country file is used.`);
  }

  async function stateNow(): Promise<GeoipState> {
    return { ...(await ask({ kind: 'geoip.describe' })), choice, setBy, problem };
  }

  return {
    async load() {
      if (optionFile === null) return await loadSetting();
      choice = { source: 'city', file: optionFile };
      setBy = 'option';
      const answer = await ask({ kind: 'geoip.use', ...choice });
      if (answer.problem !== null) throw new GeoipFileError(`--geoip-file: ${answer.problem}`);
    },
    read: stateNow,
    async choose(asked) {
      if (setBy === 'option') {
        throw fail('invalid', {
          attr: 'source',
          detail:
            'This server was started with --geoip-file, which decides. Start it without, then choose here.',
        });
      }
      if (asked.file !== null && !isAbsolute(asked.file)) {
        throw fail('invalid', { attr: 'file', detail: 'Write the whole path of the file.' });
      }
      const answer = await ask({ kind: 'geoip.use', ...asked });
      if (answer.problem !== null) throw fail('invalid', { attr: 'file', detail: answer.problem });
      await settings.save(SETTING, asked);
      [choice, setBy, problem] = [asked, 'setting', null];
      return { ...answer, choice, setBy };
    },
    async openLookup() {
      const used: GeoipChoice = problem === null ? choice : BUILT_IN;
      if (used.source === 'none') return () => null;
      const file = await openGeoipFile(used.file ?? countryFile);
      return createGeoipLookup(() => file, used.source === 'country');
    },
  };
}
