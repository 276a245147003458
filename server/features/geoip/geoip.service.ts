import { basename, isAbsolute } from 'node:path';
import { z } from 'zod';
import type { ServiceChannel } from '../../db/client.ts';
import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import { changesBetween } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import { ConfigError } from '../../lib/config-error.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { recordActivity } from '../activity-log/index.ts';
import type { ServerSettings } from '../server-settings/index.ts';
import { openGeoipFile } from './geoip-file.ts';
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
  /** Has the choice of the option or the setting used. Throws ConfigError for a file of the option. */
  load(): Promise<void>;
  read(): Promise<GeoipState>;
  /** Uses and keeps a choice. Throws invalid for a file that cannot be used, and while the option decides. */
  choose(actor: Actor, choice: GeoipChoice): Promise<GeoipState>;
  /** A lookup for this thread, in the file that is in use now. */
  openLookup(): Promise<GeoipLookup>;
}

export interface GeoipDeps {
  db: Db;
  /** To the thread in which events are taken in. */
  channel: ServiceChannel;
  settings: ServerSettings;
  /** Absolute path of `--geoip-file`, or null. */
  optionFile: string | null;
  /** The country file that comes with the program. */
  countryFile: string;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** Decides which file addresses are looked up in: the option's, else the setting's, else the built-in one. */
export function createGeoip(deps: GeoipDeps): Geoip {
  const { db, channel, settings, optionFile, countryFile, clock, newId, log } = deps;
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

  /** Keeps a choice; of a file the activity log has the name, and not in which folder of the machine it lies. */
  async function save(tx: Statements, actor: Actor, asked: GeoipChoice): Promise<void> {
    await settings.save(SETTING, asked, tx);
    const changes = changesBetween('Organization', namesOf(choice), namesOf(asked));
    if (changes.length === 0) return;
    await recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: null,
      userId: actor.user.id,
      activity: 'updated',
      scope: 'Organization',
      itemId: actor.organizationId,
      name: null,
      changes,
    });
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
      if (answer.problem !== null) throw new ConfigError(`--geoip-file: ${answer.problem}`);
    },
    read: stateNow,
    async choose(actor, asked) {
      if (setBy === 'option') {
        throw fail('invalid', {
          attr: 'source',
          detail:
            'This server was started with --geoip-file. Restart it without this option to change the setting.',
        });
      }
      if (asked.file !== null && !isAbsolute(asked.file)) {
        throw fail('invalid', { attr: 'file', detail: 'Enter the absolute path of the file.' });
      }
      const answer = await ask({ kind: 'geoip.use', ...asked });
      if (answer.problem !== null) throw fail('invalid', { attr: 'file', detail: answer.problem });
      await db.transaction((tx) => save(tx, actor, asked));
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

/** A choice as the activity log shows it. */
function namesOf({ source, file }: GeoipChoice): Record<string, unknown> {
  return { geoip_source: source, geoip_file: file === null ? null : basename(file) };
}
