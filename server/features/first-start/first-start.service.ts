import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { insertMembership, insertOrganization } from '../organizations/index.ts';
import { insertKey, keyOf } from '../personal-api-keys/index.ts';
import { insertProject, newProjectToken } from '../projects/index.ts';
import { insertUser } from '../users/index.ts';
import { OWNER } from '../../lib/member-levels.contract.ts';

interface Dependencies {
  db: Db;
  clock: Clock;
  newId: NewId;
  config: {
    /** Becomes the project's token; null: a random one. */
    projectApiKey: string | null;
    /** Becomes a key of the owner with every scope; null: the owner has none. */
    personalApiKey: string | null;
  };
}

/**
 * Fills an empty database, in one transaction: the organization, its owner, project 1 and its token. A database that
 * has an organization is left as it is, whatever keys are given.
 */
export async function prepareFirstStart({
  db,
  clock,
  newId,
  config: { projectApiKey, personalApiKey },
}: Dependencies): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await tx.first('SELECT 1 FROM organizations LIMIT 1')) !== null) return;
    const now = clock();
    const organizationId = newId();
    await insertOrganization(tx, { id: organizationId, name: 'Local', slug: 'local', now });
    const apiToken = projectApiKey ?? newProjectToken();
    const project = {
      uuid: newId(),
      organizationId,
      name: 'Default',
      apiToken,
      timezone: 'UTC',
      settings: {},
      now,
    };
    const { id: currentProjectId } = await insertProject(tx, project);
    const name = { email: 'owner@burrow.localhost', firstName: 'Owner', lastName: '' };
    const person = { ...name, isEmailVerified: true, currentProjectId };
    const owner = await insertUser(tx, { uuid: newId(), distinctId: newId(), ...person, now });
    await insertMembership(tx, { id: newId(), organizationId, userId: owner.id, level: OWNER, now });
    if (personalApiKey !== null)
      await insertKey(tx, { ...keyOf(personalApiKey, newId(), owner.id, 'First key'), now });
  });
}
