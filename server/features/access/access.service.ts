import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor, ManagementRoute, ProjectRef } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { createLatestRead } from '../../lib/latest-read.ts';
import {
  isAtLeast,
  levelFor,
  levelsOf,
  projectLevelFor,
  type AccessCaller,
  type AccessLevel,
  type AccessRule,
  type AccessSource,
} from './access-levels.ts';
import {
  deleteAccessRule,
  deleteRulesOfMember,
  findAccessRule,
  insertAccessRule,
  listAccessRules,
  updateAccessRule,
  type AccessTarget,
} from './access.store.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

/** An object that access rules can name, and its creator. */
export interface AccessObject {
  readonly id: number | string;
  readonly createdBy: number | null;
}

/** The user whose access is checked. */
export interface AccessActor extends AccessCaller {
  readonly userId: number;
}

export interface Access {
  /** Reads all rules; to be called before the first request, and after the commit of a change. */
  load(): Promise<void>;
  /** Makes, changes or (with null) deletes the rule for a target. */
  setRule(
    tx: Statements,
    target: AccessTarget,
    accessLevel: string | null,
  ): Promise<{ before: AccessRule | null; after: AccessRule | null }>;
  /** Deletes, in the open transaction, every rule that names a membership that ends; `load` follows its commit. */
  forgetMember(tx: Statements, membershipId: string): Promise<void>;
  /** Every rule of a project, oldest first. */
  rulesOf(projectId: number): readonly AccessRule[];
  /** 0 no access, 1 member, 8 admin (management contract 2.9). */
  projectLevel(caller: AccessCaller, projectId: number): 0 | 1 | 8;
  /** The actor's level for an object, or with null for the resource as a whole. */
  levelOf(actor: Actor, projectId: number, resource: string, object: AccessObject | null): AccessLevel;
  /** The same for any member of the organization, and why. */
  explain(
    actor: AccessActor,
    projectId: number,
    resource: string,
    object: AccessObject | null,
  ): { level: string; source: AccessSource };
  /** Throws access_level when the actor's level is lower than needed. */
  check(
    actor: Actor,
    projectId: number,
    resource: string,
    object: AccessObject | null,
    needed: 'viewer' | 'editor',
  ): void;
  /**
   * Which objects of a resource the actor may see in a list: their own, and of the others all except `exceptions`, or
   * (`byDefault` false) only those. In SQL:
   * `(created_by = $userId OR list_contains($exceptions::BIGINT[], id) <> $byDefault)`.
   */
  visibility(actor: Actor, projectId: number, resource: string): { byDefault: boolean; exceptions: number[] };
  /** The check of the route table: a member of the project, with access to every resource that the route names. */
  checkRoute(
    actor: Actor,
    project: ProjectRef,
    route: Pick<ManagementRoute, 'scope' | 'andScope' | 'path' | 'pathObject'>,
  ): void;
}

/** Rules of all projects are read together. */
const ALL_PROJECTS = 0;

/** Access rules, cached in memory, because every management request reads them. */
export function createAccess({ db, clock, newId }: { db: Db; clock: Clock; newId: NewId }): Access {
  let rules = new Map<number, AccessRule[]>();
  const readLatest = createLatestRead();

  const rulesOf = (projectId: number): readonly AccessRule[] => rules.get(projectId) ?? [];

  const explain: Access['explain'] = (actor, projectId, resource, object) =>
    levelFor({
      resource,
      resourceId: object === null ? null : String(object.id),
      isCreator: object !== null && object.createdBy === actor.userId,
      caller: actor,
      rules: rulesOf(projectId),
    });

  function levelOf(actor: Actor, projectId: number, resource: string, object: AccessObject | null) {
    return explain(callerOf(actor), projectId, resource, object).level as AccessLevel;
  }

  const check: Access['check'] = (actor, projectId, resource, object, needed) => {
    const level = levelOf(actor, projectId, resource, object);
    if (isAtLeast(level, needed)) return;
    throw fail('access_level', {
      detail: `Your access level here is ${level}; this needs ${needed}.`,
    });
  };

  const projectLevel: Access['projectLevel'] = (caller, projectId) =>
    projectLevelFor(projectId, caller, rulesOf(projectId));

  const visibility: Access['visibility'] = (actor, projectId, resource) => {
    const sees = (id: string | null) =>
      levelOf(actor, projectId, resource, id === null ? null : { id, createdBy: null }) !== 'none';
    const byDefault = sees(null);
    const named = rulesOf(projectId).flatMap((rule) =>
      rule.resource === resource && rule.resourceId !== null ? [rule.resourceId] : [],
    );
    const exceptions = [...new Set(named)].filter((id) => sees(id) !== byDefault).map(Number);
    return { byDefault, exceptions: exceptions.filter(Number.isSafeInteger) };
  };

  /** `isFiltered`: the route lists what the actor may see, so seeing some objects is enough. */
  function checkResource(
    actor: Actor,
    projectId: number,
    resource: string,
    { needed, isFiltered }: { needed: 'viewer' | 'editor'; isFiltered: boolean },
  ): void {
    if (isFiltered && needed === 'viewer' && visibility(actor, projectId, resource).exceptions.length > 0)
      return;
    if (isAtLeast(levelsOf(resource).maximum as AccessLevel, needed))
      check(actor, projectId, resource, null, needed);
  }

  return {
    load: () =>
      readLatest(
        ALL_PROJECTS,
        () => listAccessRules(db),
        (all) => {
          const read = new Map<number, AccessRule[]>();
          for (const rule of all) {
            const ofProject = read.get(rule.projectId);
            if (ofProject === undefined) read.set(rule.projectId, [rule]);
            else ofProject.push(rule);
          }
          rules = read;
        },
      ),
    async setRule(tx, target, accessLevel) {
      if (accessLevel === null) return { before: await deleteAccessRule(tx, target), after: null };
      const now = clock();
      // Read here, not from memory, which may not know yet what the transaction before this one has done.
      const before = await findAccessRule(tx, target);
      const after =
        before === null
          ? await insertAccessRule(tx, { ...target, id: newId(), accessLevel, now })
          : await updateAccessRule(tx, before.id, { accessLevel, now });
      return { before, after };
    },
    forgetMember: deleteRulesOfMember,
    rulesOf,
    projectLevel,
    levelOf,
    explain,
    check,
    visibility,
    checkRoute(actor, project, { scope, andScope = [], path, pathObject }) {
      const level = projectLevel(actor, project.id);
      if (level === 0) throw fail('no_project_access');
      for (const needed of [scope[0], ...andScope]) {
        const [resource, right] = needed?.split(':') ?? [];
        if (resource === undefined || right === undefined) continue;
        if (resource === 'project') {
          if (right === 'write' && level < ADMIN)
            throw fail('access_level', { detail: 'Only project admins can do this.' });
          continue;
        }
        const namesObject = path.includes(':');
        if (namesObject && resource === pathObject) continue;
        checkResource(actor, project.id, resource, {
          needed: right === 'write' ? 'editor' : 'viewer',
          isFiltered: !namesObject && needed === scope[0],
        });
      }
    },
  };
}

function callerOf({ user, organizationLevel, membershipId }: Actor): AccessActor {
  return { userId: user.id, organizationLevel, membershipId };
}
