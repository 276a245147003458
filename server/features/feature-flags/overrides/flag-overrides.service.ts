import type { Db, Statements } from '../../../db/db.ts';
import { fail } from '../../../errors.ts';
import type { Actor } from '../../../http/define-route.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { NewId } from '../../../lib/ids.ts';
import { createLatestRead } from '../../../lib/latest-read.ts';
import type { Access } from '../../access/index.ts';
import { canAnswer, variantsOf, type Override, type OverridableFlag } from './flag-override.ts';
import type { OverrideBody, OverridesQuery, PresetBody } from './flag-overrides.contract.ts';
import { listFlagsToOverride, type FlagToOverride } from './flag-overrides.reads.ts';
import {
  countOverrides,
  deleteOverrides,
  deleteOverridesOfPersons,
  deleteReplaced,
  findOverrides,
  insertOverrides,
  listAllOverrides,
  type Forgotten,
} from './flag-overrides.store.ts';
import { recordActivities, type Change } from '../../activity-log/index.ts';
import { flagResource } from '../feature-flags.resource.ts';

type Preset = 'all_on' | 'all_off';

/** What a preset forces a flag to: of variants the first that shows something new, so not `control` when there is another. */
function presetValue(flag: OverridableFlag, preset: Preset): boolean | string {
  if (preset === 'all_off') return false;
  const variants = variantsOf(flag);
  return variants.find((key) => key !== 'control') ?? variants[0] ?? true;
}

/** Logs overrides and their end in the history of flags; an override without a flag has no history. */
type LogOverrides = (
  tx: Statements,
  actor: Actor,
  activity: 'overridden' | 'override ended',
  overrides: readonly { readonly override: Override; readonly flagId: number | null }[],
) => Promise<void>;

function createOverrideLog({ clock, newId }: { clock: Clock; newId: NewId }): LogOverrides {
  return (tx, actor, activity, overrides) => {
    const now = clock();
    const entries = overrides.flatMap(({ override, flagId }) => {
      if (flagId === null) return [];
      return {
        id: newId(),
        now,
        organizationId: actor.organizationId,
        projectId: override.projectId,
        userId: actor.user.id,
        activity,
        scope: flagResource.activity,
        itemId: String(flagId),
        name: override.flagKey,
        changes: [changeOf(override, activity === 'overridden')],
      };
    });
    return recordActivities(tx, entries);
  };
}

function changeOf(override: Override, isNew: boolean): Change {
  const fields = logFieldsOf(override);
  const field = { type: flagResource.activity, field: 'override' } as const;
  return isNew
    ? { ...field, action: 'created', before: null, after: fields }
    : { ...field, action: 'deleted', before: fields, after: null };
}

/** The log has no distinct ID, since it outlives the deletion of a person. */
function logFieldsOf({ value, payload, distinctId, expiresAt }: Override) {
  return {
    value,
    payload,
    for: distinctId === null ? 'everyone' : 'one distinct ID',
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}

/** Overrides of all projects are read together. */
const ALL_PROJECTS = 0;

/** All of them are in memory. */
const MAX_OVERRIDES = 10_000;

/** Answers that are forced on this machine; each change notes itself in the history of its flag. */
export interface FlagOverrides {
  /** Reads all; to be called before the first request. */
  load(): Promise<void>;
  /** The override that holds for a distinct id: its own before everyone's, none that has expired. */
  overrideOf(projectId: number, flagKey: string, distinctId: string): Override | null;
  /** False: the project has no override. */
  hasAny(projectId: number): boolean;
  /** How many overrides hold for a flag now. */
  count(projectId: number, flagKey: string): number;
  /**
   * Forces a flag's answer, and returns the id; the override of the same flag for the same distinct id is replaced. Throws
   * does_not_exist for a key without a flag, access_level, invalid_choice for a value that the flag cannot answer, invalid.
   */
  force(actor: Actor, projectId: number, body: OverrideBody): Promise<string>;
  /** Forces all flags that the actor may edit, and returns how many. */
  forceAll(actor: Actor, projectId: number, body: PresetBody): Promise<number>;
  /** Throws not_found, access_level. */
  end(actor: Actor, projectId: number, id: string): Promise<void>;
  /** Ends the selected overrides whose flags the actor may edit; returns their number. */
  endAll(actor: Actor, projectId: number, query: OverridesQuery): Promise<number>;
  /** Ends those of distinct ids of persons who are about to be deleted; costs nothing while nothing is overridden. */
  forgetPersons(projectId: number, who: Forgotten): Promise<void>;
}

interface Dependencies {
  db: Db;
  access: Access;
  clock: Clock;
  newId: NewId;
}

export function createFlagOverrides({ db, access, clock, newId }: Dependencies): FlagOverrides {
  const cache = createOverrideCache(clock);
  const record = createOverrideLog({ clock, newId });
  const readLatest = createLatestRead();

  const load = (): Promise<void> => readLatest(ALL_PROJECTS, () => listAllOverrides(db), cache.replaceAll);

  /** Runs a change; when it resolves, the cache has it. */
  async function change<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    const result = await db.transaction(work);
    await load();
    return result;
  }

  const mayEdit = (actor: Actor, projectId: number, flag: FlagToOverride): boolean =>
    ['editor', 'manager'].includes(access.levelOf(actor, projectId, 'feature_flag', flag));

  /** Forces flags to their values, in place of what was forced for the same distinct id. */
  async function put(
    tx: Statements,
    actor: Actor,
    projectId: number,
    { forced, distinctId, payload, expiresAt, now }: Forcing,
  ): Promise<string[]> {
    const keys = forced.map(({ flag }) => flag.key);
    await deleteReplaced(tx, { projectId, keys, distinctId, now });
    if ((await countOverrides(tx, projectId)) + forced.length > MAX_OVERRIDES) {
      throw fail('invalid', {
        detail: `A project can have up to ${MAX_OVERRIDES} local overrides. Remove some first.`,
      });
    }
    const overrides = forced.map(({ flag, value }) => ({
      id: newId(),
      projectId,
      flagKey: flag.key,
      distinctId,
      value,
      payload,
      expiresAt,
      createdBy: actor.user.id,
      now,
    }));
    await insertOverrides(tx, overrides);
    const entries = overrides.map((override, index) => ({ override, flagId: forced[index]!.flag.id }));
    await record(tx, actor, 'overridden', entries);
    return overrides.map(({ id }) => id);
  }

  /** Ends those of them that the actor may, and that have not expired; how many. */
  async function remove(tx: Statements, actor: Actor, projectId: number, found: readonly Override[]) {
    const flags = new Map((await listFlagsToOverride(tx, projectId)).map((flag) => [flag.key, flag]));
    const now = clock();
    const ended = found.flatMap((override) => {
      const flag = flags.get(override.flagKey) ?? null;
      const isOver = override.expiresAt !== null && override.expiresAt <= now;
      const isEnded = !isOver && (flag === null || mayEdit(actor, projectId, flag));
      return isEnded ? [{ override, flagId: flag?.id ?? null }] : [];
    });
    await deleteOverrides(
      tx,
      ended.map(({ override }) => override.id),
    );
    await record(tx, actor, 'override ended', ended);
    return ended.length;
  }

  return {
    load,
    overrideOf: cache.find,
    hasAny: cache.hasAny,
    count: cache.count,
    force: (actor, projectId, body) =>
      change(async (tx) => {
        const now = clock();
        const [flag] = await listFlagsToOverride(tx, projectId, body.key);
        if (flag === undefined) throw unknownFlag(body.key);
        access.check(actor, projectId, 'feature_flag', flag, 'editor');
        checkValue(flag, body);
        const expiresAt = expiryOf(body, now);
        const { payload = null, distinct_id: distinctId = null } = body;
        const forced = [{ flag, value: body.value }];
        const [id] = await put(tx, actor, projectId, { forced, distinctId, payload, expiresAt, now });
        return id!;
      }),
    forceAll: (actor, projectId, body) =>
      change(async (tx) => {
        const now = clock();
        const expiresAt = expiryOf(body, now);
        const flags = await listFlagsToOverride(tx, projectId);
        const forced = flags
          .filter((flag) => mayEdit(actor, projectId, flag))
          .map((flag) => ({ flag, value: presetValue(flag, body.preset) }));
        const { distinct_id: distinctId = null } = body;
        await put(tx, actor, projectId, { forced, distinctId, payload: null, expiresAt, now });
        return forced.length;
      }),
    end: (actor, projectId, id) =>
      change(async (tx) => {
        const [override] = await findOverrides(tx, projectId, { id });
        if (override === undefined) throw fail('not_found');
        const [flag] = await listFlagsToOverride(tx, projectId, override.flagKey);
        if (flag !== undefined) access.check(actor, projectId, 'feature_flag', flag, 'editor');
        if ((await remove(tx, actor, projectId, [override])) === 0) throw fail('not_found');
      }),
    endAll: (actor, projectId, { key, distinct_id: distinctId }) =>
      change(async (tx) =>
        remove(tx, actor, projectId, await findOverrides(tx, projectId, { key, distinctId })),
      ),
    async forgetPersons(projectId, who) {
      if (cache.hasAny(projectId)) await change((tx) => deleteOverridesOfPersons(tx, projectId, who));
    },
  };
}

interface Forcing {
  forced: readonly { flag: FlagToOverride; value: boolean | string }[];
  distinctId: string | null;
  payload: string | null;
  /** Unix milliseconds, as `now`. */
  expiresAt: number | null;
  now: number;
}

function unknownFlag(key: string) {
  return fail('does_not_exist', { attr: 'key', detail: `This project has no flag with the key ${key}.` });
}

function checkValue(flag: FlagToOverride, { value, payload = null }: OverrideBody): void {
  if (!canAnswer(flag, value)) {
    const variants = variantsOf(flag);
    const choices = variants.length === 0 ? '' : ` or one of its variants: ${variants.join(', ')}`;
    throw fail('invalid_choice', {
      attr: 'value',
      detail: `This flag can be false, true${choices}; it has no variant ${String(value)}.`,
    });
  }
  if (value === false && payload !== null) {
    throw fail('invalid', { attr: 'payload', detail: 'The value false cannot have a payload.' });
  }
}

function expiryOf({ expires_at: text = null }: { expires_at?: string | null | undefined }, now: number) {
  if (text === null) return null;
  const expiresAt = Date.parse(text);
  if (expiresAt > now) return expiresAt;
  throw fail('invalid', { attr: 'expires_at', detail: 'This time is in the past.' });
}

interface FlagOverrideEntry {
  everyone: Override | null;
  readonly own: Map<string, Override>;
}

/** All local overrides in memory, since every flags request reads them. */
interface OverrideCache {
  /** Replaces all overrides. */
  replaceAll(overrides: readonly Override[]): void;
  /** The active override for a distinct ID: its own, or everyone's; expired ones do not count. */
  find(projectId: number, flagKey: string, distinctId: string): Override | null;
  /** Whether the project has any override; a cheap check. */
  hasAny(projectId: number): boolean;
  /** The number of active overrides of a flag. */
  count(projectId: number, flagKey: string): number;
}

export function createOverrideCache(clock: Clock): OverrideCache {
  let projects = new Map<number, Map<string, FlagOverrideEntry>>();

  const isActive = (override: Override | null | undefined): override is Override =>
    override !== null &&
    override !== undefined &&
    (override.expiresAt === null || override.expiresAt > clock());

  return {
    replaceAll(overrides) {
      projects = new Map();
      for (const override of overrides) {
        const { projectId, flagKey, distinctId } = override;
        let flags = projects.get(projectId);
        if (flags === undefined) projects.set(projectId, (flags = new Map<string, FlagOverrideEntry>()));
        let entry = flags.get(flagKey);
        if (entry === undefined)
          flags.set(flagKey, (entry = { everyone: null, own: new Map<string, Override>() }));
        if (distinctId === null) entry.everyone = override;
        else entry.own.set(distinctId, override);
      }
    },
    find(projectId, flagKey, distinctId) {
      const entry = projects.get(projectId)?.get(flagKey);
      if (entry === undefined) return null;
      const own = entry.own.get(distinctId);
      if (isActive(own)) return own;
      return isActive(entry.everyone) ? entry.everyone : null;
    },
    hasAny: (projectId) => projects.has(projectId),
    count(projectId, flagKey) {
      const entry = projects.get(projectId)?.get(flagKey);
      if (entry === undefined) return 0;
      return [entry.everyone, ...entry.own.values()].filter(isActive).length;
    },
  };
}
