import type { Statements } from '../../../db/db.ts';
import type { Actor } from '../../../http/define-route.ts';
import { hasScope } from '../../../http/scopes.ts';
import type { Access } from '../../access/index.ts';
import type { CohortDraft } from '../../cohorts/index.ts';
import { referencesOf } from './file-references.ts';
import type { ImportReport } from './flag-file.contract.ts';
import type { StoredCohort } from './flag-file.reads.ts';
import { namedIn } from './named-in-filters.ts';
import { orderItems } from './order-items.ts';
import { cohortNames, type FileCohort, type FlagFile } from './read-flag-file.ts';
import { mayEdit, refusalOf } from './refusal.ts';
import { RefusedReference, rewriteTree } from './rewrite-filters.ts';
import { saysTheSame } from './same-definition.ts';

/** One import: who writes what where. */
export interface Scene {
  readonly tx: Statements;
  readonly actor: Actor;
  readonly projectId: number;
  readonly file: FlagFile;
  readonly access: Access;
  /** Indexes in the project of types of groups, by name. */
  readonly groupTypes: ReadonlyMap<string, number>;
}

export interface CohortImport {
  readonly outcomes: ImportReport['cohorts'];
  /** Ids in the project by ids of the file. */
  readonly ids: ReadonlyMap<number, number>;
  readonly notes: readonly string[];
}

/**
 * Creates the cohorts of a file, or finds them in the project by their names. A cohort that flags reference and the
 * file lacks is found by the name that the flags give it; for a local evaluation response, which has all dynamic
 * cohorts, it is created as a static cohort without members.
 */
export async function createCohortImport(
  { tx, actor, projectId, file, access, groupTypes }: Scene,
  draft: CohortDraft,
  stored: readonly StoredCohort[],
): Promise<CohortImport> {
  const ids = new Map<number, number>();
  const outcomes: ImportReport['cohorts'] = [];
  const notes: string[] = [];
  const nothing = { flags: new Map<string, number>(), refusedFlags: new Set<string>(), known: new Map() };
  const references = referencesOf(file, { ...nothing, cohorts: ids, groupTypes });
  const mayWrite = hasScope(actor.scopes, ['cohort:write']);

  async function put(cohort: FileCohort): Promise<ImportReport['cohorts'][number]> {
    const { name, description, isStatic } = cohort;
    const filters = isStatic ? null : rewritten(cohort.filters);
    const sameName = stored.filter((one) => one.name === name);
    const same = sameName.find(
      (one) => one.isStatic === isStatic && (isStatic || saysTheSame(one.filters, filters)),
    );
    if (same !== undefined) return { name, id: same.id, outcome: 'unchanged', reason: null };
    const other = sameName[0] ?? null;
    if (other !== null && other.isStatic !== isStatic) return refused(name, DIFFERS);
    if (!mayWrite || !mayEdit(access, actor, projectId, 'cohort', ownedBy(other)))
      return refused(name, 'You do not have permission to create or edit this cohort.');
    const body = { name, description, is_static: isStatic, filters };
    if (other === null) {
      const made = await draft.create(tx, actor, body);
      return { name, id: made.id, outcome: 'created', reason: null };
    }
    await draft.update(tx, actor, other.id, body);
    return { name, id: other.id, outcome: 'updated', reason: null };
  }

  function rewritten(filters: FileCohort['filters']): Record<string, unknown> | null {
    if (filters === null) return null;
    return { ...filters, properties: rewriteTree(filters['properties'], references) };
  }

  for (const cohort of [...ordered(file.cohorts), ...missingOf(file, stored, ids, notes)]) {
    const outcome = await put(cohort).catch((error: unknown) =>
      refused(cohort.name, error instanceof RefusedReference ? error.message : refusalOf(error)),
    );
    outcomes.push(outcome);
    if (outcome.id !== null) ids.set(cohort.id, outcome.id);
  }
  return { outcomes, ids, notes };
}

const DIFFERS = 'The project has a cohort with this name of the other type (dynamic or static).';

function refused(name: string, reason: string) {
  return { name, id: null, outcome: 'refused' as const, reason };
}

function ownedBy(cohort: StoredCohort | null) {
  return cohort === null ? null : { id: cohort.id, createdBy: cohort.createdBy };
}

/** Each after those that it names. */
function ordered(cohorts: readonly FileCohort[]): FileCohort[] {
  return orderItems(
    cohorts,
    ({ id }) => [String(id)],
    ({ filters }) => [...namedIn(filters).cohorts].map(String),
  );
}

/**
 * Referenced cohorts that the file lacks: the IDs of found ones are added to `ids`; the others are returned to be
 * created.
 */
function missingOf(
  file: FlagFile,
  stored: readonly StoredCohort[],
  ids: Map<number, number>,
  notes: string[],
): FileCohort[] {
  const named = namedIn([
    file.flags.map(({ filters }) => filters),
    file.cohorts.map(({ filters }) => filters),
  ]);
  const inFile = new Set(file.cohorts.map(({ id }) => id));
  const names = cohortNames(file.flags);
  return [...named.cohorts].flatMap((id) => {
    if (inFile.has(id)) return [];
    const name = names.get(id) ?? null;
    const found = name === null ? undefined : stored.find((one) => one.name === name);
    if (found !== undefined) {
      ids.set(id, found.id);
      return [];
    }
    if (!file.hasAllCohorts || !Number.isInteger(id)) return [];
    const made = name ?? `Cohort ${id}`;
    notes.push(`The cohort '${made}' is static. Its members are not in the file, so it is empty here.`);
    return [{ id, name: made, description: '', isStatic: true, filters: null }];
  });
}
