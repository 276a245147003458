import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import { changesBetween } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { recordActivity } from '../activity-log/index.ts';
import type { Projects } from '../projects/index.ts';
import type { Grant, Users } from '../users/index.ts';
import { readRestrictions } from './key-restrictions.ts';
import { hashOfKey, maskOfKey, newPersonalApiKey } from './key-secret.ts';
import type { CreateKeyBody, PatchKeyBody } from './personal-api-keys.contract.ts';
import {
  deleteKey,
  insertKey,
  listKeys,
  saveKey,
  setLastUsed,
  type PersonalApiKey,
} from './personal-api-keys.store.ts';

const MAX_KEYS_PER_USER = 10;
const HOUR_MS = 3_600_000;

/** A new key with its secret, which is not stored. */
export interface MadeKey {
  key: PersonalApiKey;
  secret: string;
}

export interface PersonalApiKeys {
  /** Reads all keys; to be called before the first request and after first start. */
  load(): Promise<void>;
  /** Returns the actor of a key, or null, and records the use. */
  authenticate(secret: string): Actor | null;
  /** Newest first; without the key of this run. */
  list(userId: number): PersonalApiKey[];
  /** Throws not_found. `@current` is the key of the request. */
  get(id: string, actor: Actor): PersonalApiKey;
  /** Creates a key and returns it once. Throws when the user has ten, or names an unknown project. */
  create(body: CreateKeyBody, actor: Actor): Promise<MadeKey>;
  update(key: PersonalApiKey, body: PatchKeyBody, actor: Actor): Promise<PersonalApiKey>;
  delete(key: PersonalApiKey, actor: Actor): Promise<void>;
  /** Makes a key with every scope in the open transaction; `keep` has to be called when that is committed. */
  insertFullKey(tx: Statements, userId: number, label: string): Promise<MadeKey>;
  /** Takes over a key as it was just stored. */
  keep(key: PersonalApiKey): void;
  /** Takes over that a user has left and every key of theirs was just deleted; those of this run end too. */
  forgetUser(userId: number): void;
  /**
   * Creates a key that lives as long as this process and is neither stored nor listed. `userId` returns its owner on
   * each use; `secret` continues a key that was created before the server restarted.
   */
  createRunKey(
    userId: () => number,
    key: { label: string; scopes: readonly string[]; secret?: string | undefined },
  ): string;
}

interface Dependencies {
  db: Db;
  users: Users;
  projects: Projects;
  clock: Clock;
  newId: NewId;
  log: Log;
}

/** A key of this run, and whose it is now. */
interface RunKey {
  key: PersonalApiKey;
  userId: () => number;
}

export function createPersonalApiKeys(dependencies: Dependencies): PersonalApiKeys {
  const { db, users, projects, clock, newId, log } = dependencies;
  /** By hash, in memory, because every management request reads them. */
  const stored = new Map<string, PersonalApiKey>();
  const ofThisRun = new Map<string, RunKey>();

  function noteUse(key: PersonalApiKey): void {
    const now = clock();
    if (key.lastUsedAt !== null && now - Date.parse(key.lastUsedAt) < HOUR_MS) return;
    stored.set(key.hash, { ...key, lastUsedAt: isoTime(now) });
    db.transaction((tx) => setLastUsed(tx, key.id, now)).catch((error: unknown) => {
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

  function findRunKey(hash: string): PersonalApiKey | undefined {
    const found = ofThisRun.get(hash);
    return found === undefined ? undefined : { ...found.key, userId: found.userId() };
  }

  /** The log has what a key may do, never the key itself. */
  function record(
    tx: Statements,
    actor: Actor,
    activity: string,
    key: PersonalApiKey,
    before?: PersonalApiKey,
  ) {
    return recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: null,
      userId: actor.user.id,
      activity,
      scope: 'PersonalAPIKey',
      itemId: key.id,
      name: key.label,
      changes:
        activity === 'deleted'
          ? []
          : changesBetween('PersonalAPIKey', before === undefined ? {} : shown(before), shown(key)),
    });
  }

  return {
    async load() {
      for (const key of await listKeys(db)) stored.set(key.hash, key);
    },
    authenticate(secret) {
      const hash = hashOfKey(secret);
      const ofUser = stored.get(hash);
      const key = ofUser ?? findRunKey(hash);
      if (key === undefined) return null;
      const grant = grantOf(key);
      const scopes = grant.scopes.filter((scope) => scope !== RUN_KEY_SCOPE);
      const actor = users.findActor(key.userId, ofUser === undefined ? grant : { ...grant, scopes });
      if (actor !== null && ofUser !== undefined) noteUse(key);
      return actor;
    },
    list: listOf,
    get(id, actor) {
      const isCurrent = id === '@current';
      const wanted = isCurrent ? actor.keyId : id;
      const run = isCurrent ? [...ofThisRun.keys()].map((hash) => findRunKey(hash)!) : [];
      const key = [...listOf(actor.user.id), ...run].find((one) => one.id === wanted);
      if (key === undefined) throw fail('not_found');
      return key;
    },
    async create(body, actor) {
      const restrictions = readRestrictions(body, UNRESTRICTED, actor, projects);
      const secret = newPersonalApiKey();
      const { label, scopes } = body;
      const row = { ...keyOf(secret, newId(), actor.user.id, label), scopes, ...restrictions };
      const key = await db.transaction(async (tx) => {
        if (listOf(actor.user.id).length >= MAX_KEYS_PER_USER) {
          throw fail('invalid_input', {
            detail: `You already have ${MAX_KEYS_PER_USER} personal API keys. Delete one first.`,
          });
        }
        const made = await insertKey(tx, { ...row, now: clock() });
        await record(tx, actor, 'created', made);
        return made;
      });
      stored.set(key.hash, key);
      return { key, secret };
    },
    async update(before, body, actor) {
      const { label = before.label, scopes = before.scopes } = body;
      const restrictions = readRestrictions(body, before, actor, projects);
      const key = await db.transaction(async (tx) => {
        const after = await saveKey(tx, { ...before, label, scopes, ...restrictions });
        if (after === null) throw fail('not_found');
        await record(tx, actor, 'updated', after, before);
        return after;
      });
      stored.set(key.hash, key);
      return key;
    },
    async delete(key, actor) {
      await db.transaction(async (tx) => {
        await deleteKey(tx, key.id);
        await record(tx, actor, 'deleted', key);
      });
      stored.delete(key.hash);
    },
    async insertFullKey(tx, userId, label) {
      const secret = newPersonalApiKey();
      return { key: await insertKey(tx, { ...keyOf(secret, newId(), userId, label), now: clock() }), secret };
    },
    keep: (key) => void stored.set(key.hash, key),
    forgetUser(userId) {
      for (const { hash } of listOf(userId)) stored.delete(hash);
      for (const [hash, run] of ofThisRun) if (run.userId() === userId) ofThisRun.delete(hash);
    },
    createRunKey(userId, { label, scopes, secret = newPersonalApiKey() }) {
      const key = { ...keyOf(secret, newId(), userId(), label), scopes };
      ofThisRun.set(key.hash, { key: { ...key, createdAt: isoTime(clock()), lastUsedAt: null }, userId });
      return secret;
    },
  };
}

/** Makes sign-in links, which are worth a full key: no stored key gets it by this scope, only that of `burrow.json`. */
export const RUN_KEY_SCOPE = 'sign_in_link:write';

const UNRESTRICTED = { scopedProjects: [], scopedOrganizations: [] };

/** The fields of a key in the activity log. */
function shown({ label, scopes, scopedProjects, scopedOrganizations }: PersonalApiKey) {
  return {
    label,
    scopes,
    scoped_teams: scopedProjects,
    scoped_organizations: scopedOrganizations,
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
