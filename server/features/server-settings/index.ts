import type { Db, Statements } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { findSetting, saveSetting } from './server-settings.store.ts';

/** What is set for the whole server at run time; each setting belongs to the feature that names it. */
export interface ServerSettings {
  /** The value as it was set, which its feature checks; undefined when it never was. */
  find(name: string): Promise<unknown>;
  /** Keeps a JSON value; in the caller's transaction when one is given. */
  save(name: string, value: unknown, tx?: Statements): Promise<void>;
}

export function createServerSettings({ db, clock }: { db: Db; clock: Clock }): ServerSettings {
  return {
    find: (name) => findSetting(db, name),
    save: (name, value, tx = db) => saveSetting(tx, { name, value, now: clock() }),
  };
}
