import type { Db, Statements } from '../../db/db.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { newSecret, type NewId } from '../../lib/ids.ts';
import { recordActivity } from '../activity-log/index.ts';
import { hashOfKey } from '../personal-api-keys/index.ts';
import {
  deleteBackup,
  deleteSecrets,
  listSecrets,
  listSecretsOf,
  rotateSecret,
  type ProjectSecret,
} from './project-secrets.store.ts';

/** Secret keys of projects: each reads the flag definitions and remote configuration of its project, and nothing else. */
export interface ProjectSecrets {
  /** Reads all of them; to be called before the first request. */
  load(): Promise<void>;
  /** The id of the project whose secret key this is, or null. */
  projectOf(secret: string): number | null;
  /** The one in use and the one before it, each null when there is none. */
  find(projectId: number): { current: ProjectSecret | null; backup: ProjectSecret | null };
  /** Makes a secret key and returns it once. The one in use until then goes on working; the one before that ends. */
  rotate(actor: Actor, project: ProjectRef): Promise<string>;
  /** From the moment it returns, the one before the one in use is not accepted. */
  deleteBackup(actor: Actor, project: ProjectRef): Promise<void>;
  /** From the moment it returns, the project has no secret key. */
  deleteAll(actor: Actor, project: ProjectRef): Promise<void>;
}

export function createProjectSecrets({
  db,
  clock,
  newId,
}: {
  db: Db;
  clock: Clock;
  newId: NewId;
}): ProjectSecrets {
  /** By hash, in memory: SDKs poll. */
  const known = new Map<string, ProjectSecret>();

  function ofProject(projectId: number): ProjectSecret[] {
    return [...known.values()].filter((secret) => secret.projectId === projectId);
  }

  async function change(
    actor: Actor,
    { id, name }: ProjectRef,
    field: 'secret_api_token' | 'secret_api_token_backup',
    write: (tx: Statements) => Promise<void>,
  ): Promise<void> {
    const secrets = await db.transaction(async (tx) => {
      await write(tx);
      await recordActivity(tx, {
        id: newId(),
        now: clock(),
        organizationId: actor.organizationId,
        projectId: id,
        userId: actor.user.id,
        activity: 'updated',
        scope: 'Project',
        itemId: String(id),
        name,
        // That it changed, and never what it is.
        changes: [{ type: 'Project', action: 'changed', field, before: null, after: null }],
      });
      return listSecretsOf(tx, id);
    });
    for (const { hash } of ofProject(id)) known.delete(hash);
    for (const secret of secrets) known.set(secret.hash, secret);
  }

  return {
    async load() {
      for (const secret of await listSecrets(db)) known.set(secret.hash, secret);
    },
    projectOf: (secret) => known.get(hashOfKey(secret))?.projectId ?? null,
    find(projectId) {
      const secrets = ofProject(projectId);
      return {
        current: secrets.find(({ isBackup }) => !isBackup) ?? null,
        backup: secrets.find(({ isBackup }) => isBackup) ?? null,
      };
    },
    async rotate(actor, project) {
      const secret = newSecret('phs_');
      const row = { projectId: project.id, hash: hashOfKey(secret), mask: `phs_...${secret.slice(-4)}` };
      await change(actor, project, 'secret_api_token', (tx) => rotateSecret(tx, { ...row, now: clock() }));
      return secret;
    },
    deleteBackup: (actor, project) =>
      change(actor, project, 'secret_api_token_backup', (tx) => deleteBackup(tx, project.id)),
    deleteAll: (actor, project) =>
      change(actor, project, 'secret_api_token', (tx) => deleteSecrets(tx, project.id)),
  };
}
