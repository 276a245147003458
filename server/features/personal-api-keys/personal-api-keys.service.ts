import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Projects } from '../projects/index.ts';
import type { Grant, Users } from '../users/index.ts';
import { hashOfKey, maskOfKey, newPersonalApiKey } from './key-secret.ts';
import type { CreateKeyBody } from './personal-api-keys.contract.ts';
import {
  deleteKey,
  insertKey,
  listKeys,
  setLastUsed,
  type PersonalApiKey,
} from './personal-api-keys.store.ts';

const MAX_KEYS_PER_USER = 10;
const HOUR_MS = 3_600_000;

export interface PersonalApiKeys {
  /** Reads all keys; to be called before the first request and after first start. */
  load(): Promise<void>;
  /** The actor whom a key stands for, or null. Notes the use. */
  authenticate(secret: string): Actor | null;
  /** Newest first; without the key of this run. */
  list(userId: number): PersonalApiKey[];
  /** Throws not_found. `@current` is the key by which the actor asks. */
  get(id: string, actor: Actor): PersonalApiKey;
  /** Makes a key and returns it once. Throws when the user has ten, or names a project that is none. */
  create(body: CreateKeyBody, actor: Actor): Promise<{ key: PersonalApiKey; secret: string }>;
  delete(key: PersonalApiKey): Promise<void>;
  /** Makes a key of the user that lives as long as this process, is stored nowhere and listed nowhere. */
  createRunKey(userId: number, key: { label: string; scopes: readonly string[] }): string;
}

interface Dependencies {
  db: Db;
  users: Users;
  projects: Projects;
  clock: Clock;
  newId: NewId;
  log: Log;
}

export function createPersonalApiKeys(dependencies: Dependencies): PersonalApiKeys {
  const { db, users, projects, clock, newId, log } = dependencies;
  /** By hash, in memory: every management request asks. */
  const stored = new Map<string, PersonalApiKey>();
  const ofThisRun = new Map<string, PersonalApiKey>();

  function noteUse(key: PersonalApiKey): void {
    const now = clock();
    if (key.lastUsedAt !== null && now - Date.parse(key.lastUsedAt) < HOUR_MS) return;
    stored.set(key.hash, { ...key, lastUsedAt: isoTime(now) });
    setLastUsed(db, key.id, now).catch((error: unknown) => {
      log.warn({ err: error, key: key.id }, 'The last use of a key could not be written down.');
    });
  }

  function listOf(userId: number): PersonalApiKey[] {
    return [...stored.values()]
      .filter((key) => key.userId === userId)
      .sort((a, b) =>
        a.createdAt === b.createdAt ? compare(b.id, a.id) : compare(b.createdAt, a.createdAt),
      );
  }

  return {
    async load() {
      for (const key of await listKeys(db)) stored.set(key.hash, key);
    },
    authenticate(secret) {
      const hash = hashOfKey(secret);
      const key = stored.get(hash) ?? ofThisRun.get(hash);
      if (key === undefined) return null;
      if (stored.has(hash)) noteUse(key);
      return users.findActor(key.userId, grantOf(key));
    },
    list: listOf,
    get(id, actor) {
      const wanted = id === '@current' ? actor.keyId : id;
      const run = id === '@current' ? [...ofThisRun.values()] : [];
      const key = [...listOf(actor.user.id), ...run].find((one) => one.id === wanted);
      if (key === undefined) throw fail('not_found');
      return key;
    },
    async create(body, actor) {
      const scopedProjects = [...new Set(body.scoped_teams ?? [])];
      const scopedOrganizations = [
        ...new Set((body.scoped_organizations ?? []).map((id) => id.toLowerCase())),
      ];
      if (scopedProjects.some((id) => projects.find(id) === null)) {
        throw fail('invalid_input', { attr: 'scoped_teams', detail: 'One of these is no project of yours.' });
      }
      if (scopedOrganizations.some((id) => id !== actor.organizationId)) {
        throw fail('invalid_input', {
          attr: 'scoped_organizations',
          detail: 'One of these is no organization of yours.',
        });
      }
      const secret = newPersonalApiKey();
      const { label, scopes } = body;
      const row = {
        ...keyOf(secret, newId(), actor.user.id, label),
        scopes,
        scopedProjects,
        scopedOrganizations,
      };
      const key = await db.transaction(async (tx) => {
        if (listOf(actor.user.id).length >= MAX_KEYS_PER_USER) {
          throw fail('invalid_input', {
            detail: `You have ${MAX_KEYS_PER_USER} keys already. Delete one first.`,
          });
        }
        return insertKey(tx, { ...row, now: clock() });
      });
      stored.set(key.hash, key);
      return { key, secret };
    },
    async delete(key) {
      await deleteKey(db, key.id);
      stored.delete(key.hash);
    },
    createRunKey(userId, { label, scopes }) {
      const secret = newPersonalApiKey();
      const key = { ...keyOf(secret, newId(), userId, label), scopes };
      ofThisRun.set(key.hash, { ...key, createdAt: isoTime(clock()), lastUsedAt: null });
      return secret;
    },
  };
}

/** A key with every scope. */
export function keyOf(secret: string, id: string, userId: number, label: string) {
  const mask = maskOfKey(secret);
  return {
    id,
    userId,
    label,
    hash: hashOfKey(secret),
    mask,
    scopes: ['*'],
    scopedProjects: [],
    scopedOrganizations: [],
  };
}

function grantOf({ id, scopes, scopedProjects, scopedOrganizations }: PersonalApiKey): Grant {
  return { scopes, scopedProjects, scopedOrganizations, keyId: id };
}

/** The database's form: UTC with microseconds. */
function isoTime(unixMs: number): string {
  return new Date(unixMs).toISOString().replace('Z', '000Z');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}
