import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { changesBetween, recordActivity, type Change, type NewActivity } from '../activity-log/index.ts';
import type { ServerSettings } from '../server-settings/index.ts';
import { isOn, newToken, oldEnded, oldUntil, refreshed, settled, turnedOff, turnedOn } from './link-state.ts';
import { hashOfShareToken, isShareToken } from './share-token.ts';
import type { MachineSharing, PatchSharing } from './sharing.contract.ts';
import { findOpenShare, isSharingOff, listOpenLinks, SHARING_OFF, type Share } from './sharing.reads.ts';
import {
  endAllSharing,
  findConfiguration,
  insertConfiguration,
  updateConfiguration,
  type ShareKind,
  type SharingConfiguration,
} from './sharing.store.ts';
import { sharingResource } from './sharing.resource.ts';
import { dashboardResource } from '../dashboards/index.ts';
import { insightResource } from '../insights/index.ts';

/** What a link can be for. */
export interface Shareable {
  readonly kind: ShareKind;
  readonly id: number;
  readonly projectId: number;
  readonly name: string | null;
  readonly shortId?: string;
}

export interface Sharing {
  /** Returns the link of an object; creates one that is off if there is none yet. */
  get(shareable: Shareable): Promise<SharingConfiguration>;
  /** Throws permission_denied for a link that is to be on while all sharing of this machine is off. */
  patch(actor: Actor, shareable: Shareable, body: PatchSharing): Promise<SharingConfiguration>;
  /** Gives the link another token; the old one works for five minutes more. */
  refresh(actor: Actor, shareable: Shareable): Promise<SharingConfiguration>;
  /** Ends the previous token immediately. */
  endOld(actor: Actor, shareable: Shareable): Promise<SharingConfiguration>;
  /** Sets when the link ends, as ISO 8601 in UTC. Throws invalid_input for a moment that has passed. */
  setExpiry(actor: Actor, shareable: Shareable, expiresAt: string | null): Promise<SharingConfiguration>;
  /** Whether the link opens something now. */
  isOn(configuration: SharingConfiguration): boolean;
  /** Until when the token before the present one works, as ISO 8601, or null. */
  oldUntil(configuration: SharingConfiguration): string | null;
  /** What a token opens now, or null. */
  open(token: string): Promise<Share | null>;
  /** Everything that is shared on this machine. */
  machine(): Promise<MachineSharing>;
  /** Ends all sharing of this machine, each link for good, or allows new links again. */
  setOff(actor: Actor, off: boolean): Promise<void>;
}

export interface SharingParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  settings: ServerSettings;
}

/** Links by which any visitor can look at a dashboard or an insight. */
export function createSharing({ db, clock, newId, settings }: SharingParts): Sharing {
  async function findOrInsert(tx: Statements, { kind, id, projectId }: Shareable) {
    const present = await findConfiguration(tx, { kind, id });
    if (present !== null) return present;
    const row = { id: newId(), projectId, kind, objectId: id, now: clock() };
    return insertConfiguration(tx, { ...row, ...newToken() });
  }

  /** Changes a link by `change` and logs it as `activity` calls it; nothing when nothing changed. */
  function write(
    actor: Actor,
    shareable: Shareable,
    change: (
      row: SharingConfiguration,
      tx: Statements,
    ) => Promise<SharingConfiguration> | SharingConfiguration,
    activity: (before: SharingConfiguration, after: SharingConfiguration) => string,
  ): Promise<SharingConfiguration> {
    return db.transaction(async (tx) => {
      const stored = await findOrInsert(tx, shareable);
      const before = settled(stored, clock());
      const after = await change(before, tx);
      const changes = changesOf(before, after);
      if (changes.length === 0) return after;
      await updateConfiguration(tx, after);
      await recordActivity(tx, {
        ...entry(actor, activity(before, after), changes),
        projectId: shareable.projectId,
        scope: (shareable.kind === 'dashboard' ? dashboardResource : insightResource).activity,
        itemId: String(shareable.id),
        name: shareable.name,
        ...(shareable.shortId === undefined ? {} : { shortId: shareable.shortId }),
      });
      return after;
    });
  }

  function entry(actor: Actor, activity: string, changes: readonly Change[]) {
    const { organizationId, user } = actor;
    return {
      id: newId(),
      now: clock(),
      organizationId,
      userId: user.id,
      activity,
      changes,
    } satisfies Partial<NewActivity>;
  }

  return {
    isOn: (link) => isOn(link, clock()),
    oldUntil: (link) => oldUntil(link, clock()),
    get: async (shareable) =>
      (await findConfiguration(db, shareable)) ?? db.transaction((tx) => findOrInsert(tx, shareable)),
    patch: (actor, shareable, { enabled, settings: look }) =>
      write(
        actor,
        shareable,
        async (row, tx) => {
          if (enabled === true && !row.enabled && (await isSharingOff(tx)))
            throw fail('permission_denied', { detail: 'All sharing of this machine is turned off.' });
          const switched =
            enabled === undefined
              ? row
              : !enabled
                ? turnedOff(row)
                : { ...turnedOn(row), enabledBy: row.enabled ? row.enabledBy : actor.user.id };
          return look === undefined ? switched : { ...switched, settings: look && JSON.stringify(look) };
        },
        (before, after) =>
          before.enabled === after.enabled
            ? 'updated'
            : after.enabled
              ? 'sharing enabled'
              : 'sharing disabled',
      ),
    refresh: (actor, shareable) =>
      write(
        actor,
        shareable,
        (row) => refreshed(row, clock()),
        () => 'access token refreshed',
      ),
    endOld: (actor, shareable) => write(actor, shareable, oldEnded, () => 'old access token ended'),
    setExpiry(actor, shareable, expiresAt) {
      if (expiresAt !== null && Date.parse(expiresAt) <= clock())
        throw fail('invalid_input', { attr: 'expires_at', detail: 'This time is in the past.' });
      return write(
        actor,
        shareable,
        (row) => ({ ...row, expiresAt }),
        () => 'updated',
      );
    },
    async open(token) {
      return isShareToken(token) ? findOpenShare(db, hashOfShareToken(token), clock()) : null;
    },
    async machine() {
      const [off, links] = await Promise.all([isSharingOff(db), listOpenLinks(db, clock())]);
      return { off, links };
    },
    setOff: (actor, off) =>
      db.transaction(async (tx) => {
        if ((await isSharingOff(tx)) === off) return;
        await settings.save(SHARING_OFF, off, tx);
        const ended = off ? await endAllSharing(tx) : 0;
        await recordActivity(tx, {
          ...entry(actor, off ? 'all sharing ended' : 'sharing allowed', [
            { type: sharingResource.activity, action: 'changed', field: 'links', before: ended, after: 0 },
          ]),
          projectId: null,
          scope: sharingResource.activity,
          itemId: SHARING_OFF,
          name: null,
        });
      }),
  };
}

/** The changes in the log: that of a token without the token. */
function changesOf(before: SharingConfiguration, after: SharingConfiguration): Change[] {
  const logged = ({ enabled, expiresAt, settings }: SharingConfiguration) => ({
    enabled,
    expires_at: expiresAt,
    settings: settings === null ? null : (JSON.parse(settings) as unknown),
  });
  const changes = changesBetween(sharingResource.activity, logged(before), logged(after));
  const tokenChange = { type: sharingResource.activity, before: null, after: null } as const;
  if (before.tokenHash !== after.tokenHash)
    changes.push({ ...tokenChange, action: 'changed', field: 'access_token' });
  else if (before.enabled && after.enabled && before.previousHash !== after.previousHash)
    changes.push({ ...tokenChange, action: 'deleted', field: 'old_access_token' });
  return changes;
}
