import { z, type ZodType } from 'zod';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { type AccessedObject, type Resource, type ResourceAccess } from '../../http/define-resource.ts';
import { selectObjects } from '../../lib/resource-table.ts';
import { readPathId } from '../../http/fields.contract.ts';
import type { Access } from '../access/index.ts';
import { accessControls } from './access-controls.contract.ts';

/** A kind of objects whose rules have paths of their own (management contract 5.1). */
export interface AccessedKind {
  readonly resource: string;
  /** Finds an object by what the path names. Throws not_found, and access_level for a caller from whom it is hidden. */
  readonly find: NonNullable<ResourceAccess['find']>;
  /** The answer that shows its rules. */
  readonly response: ZodType;
  readonly whole: ResourceAccess['whole'];
}

export interface AccessKindParts {
  db: Db;
  access: Access;
  resources: readonly Resource[];
}

export function accessKinds({ db, access, resources }: AccessKindParts): AccessedKind[] {
  return resources.flatMap((resource): AccessedKind[] => {
    const { noun, access: rules } = resource;
    if (rules === undefined) return [];
    const find: AccessedKind['find'] = async (actor, project, id) => {
      const found = await findLive(db, resource, project.id, id);
      if (found === null) throw fail('not_found');
      access.check(actor, project.id, noun, found, 'viewer');
      return found;
    };
    const { whole } = rules;
    const response =
      whole === undefined ? accessControls : z.strictObject({ ...whole.fields, ...accessControls.shape });
    return [{ resource: noun, find: rules.find ?? find, response, whole }];
  });
}

async function findLive(
  db: Db,
  { table, search }: Resource,
  projectId: number,
  id: string,
): Promise<AccessedObject | null> {
  if (table === undefined) return null;
  const objects = selectObjects(table, {
    columns: [`${search?.name ?? 'name'} AS name`],
    where: ['project_id = $projectId', table.isLive],
  });
  const isId = table.key === undefined ? 'id = $id' : 'id::VARCHAR = $id';
  return db.first<AccessedObject>(
    `SELECT id, created_by AS "createdBy", name FROM (${objects}) WHERE ${isId}`,
    { projectId, id: table.key === undefined ? readPathId(id) : id.toLowerCase() },
  );
}
