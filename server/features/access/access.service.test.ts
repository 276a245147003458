import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../test/support/store.ts';
import type { Actor } from '../../http/define-route.ts';
import { newUuid } from '../../lib/ids.ts';
import { ACCESS_LEVELS } from './access-levels.ts';
import { createAccess } from './access.service.ts';

const [ME, SOMEBODY] = [newUuid(), newUuid()];

const MEMBER: Actor = {
  user: { id: 2, uuid: newUuid(), email: 'lin@local.test', firstName: 'Lin', distinctId: 'u2' },
  organizationId: newUuid(),
  organizationLevel: 1,
  membershipId: ME,
  scopes: ['*'],
  scopedProjects: [],
  scopedOrganizations: [],
  keyId: null,
  currentProjectId: 1,
};

async function openAccess() {
  const store = await openTestStore();
  onTestFinished(() => store.close());
  return { store, access: createAccess({ db: store.db, clock: () => 0, newId: newUuid }) };
}

const anyTarget = fc.record({
  projectId: fc.constantFrom(1, 2),
  resource: fc.constantFrom('dashboard', 'insight'),
  resourceId: fc.constantFrom(null, '1', '2', '3'),
  memberId: fc.constantFrom(null, ME, SOMEBODY),
  roleId: fc.constant(null),
});
const anySteps = fc.array(fc.record({ target: anyTarget, level: fc.constantFrom(null, ...ACCESS_LEVELS) }), {
  maxLength: 12,
});

test('after any changes, memory has the last level of each target, and a reload reads the same', async () => {
  const { store, access } = await openAccess();
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      await store.db.run('DELETE FROM access_controls');
      const model = new Map<string, string>();
      for (const { target, level } of steps) {
        const key = JSON.stringify(target);
        const { before, after } = await store.db.transaction((tx) => access.setRule(tx, target, level));
        expect(before?.accessLevel ?? null).toBe(model.get(key) ?? null);
        expect(after?.accessLevel ?? null).toBe(level);
        if (level === null) model.delete(key);
        else model.set(key, level);
      }
      await access.load();
      const held = [1, 2].flatMap((project) =>
        access
          .rulesOf(project)
          .map(({ projectId, resource, resourceId, memberId, roleId, accessLevel }) => [
            JSON.stringify({ projectId, resource, resourceId, memberId, roleId }),
            accessLevel,
          ]),
      );
      expect(new Map(held as [string, string][])).toEqual(model);
      expect(held).toHaveLength(model.size);
    }),
    { numRuns: 40 },
  );
});

test('a list shows exactly the objects whose level is not none', async () => {
  const { store, access } = await openAccess();
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      await store.db.run('DELETE FROM access_controls');
      await store.db.transaction(async (tx) => {
        for (const { target, level } of steps) await access.setRule(tx, target, level);
      });
      await access.load();
      const { byDefault, exceptions } = access.visibility(MEMBER, 1, 'dashboard');
      for (const id of [1, 2, 3, 4]) {
        const level = access.levelOf(MEMBER, 1, 'dashboard', { id, createdBy: null });
        expect(exceptions.includes(id) !== byDefault).toBe(level !== 'none');
      }
    }),
    { numRuns: 40 },
  );
});

test('concurrent reloads never restore rules that a later change has replaced', async () => {
  const { store, access } = await openAccess();
  const target = { projectId: 1, resource: 'dashboard', resourceId: null, memberId: ME, roleId: null };
  for (let i = 0; i < 20; i++) {
    const level = ACCESS_LEVELS[i % 4]!;
    const early = access.load();
    await store.db.transaction((tx) => access.setRule(tx, target, level));
    await Promise.all([access.load(), early]);
    expect(access.rulesOf(1).map(({ accessLevel }) => accessLevel)).toEqual([level]);
  }
});
