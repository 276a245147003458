import type { Statements } from '../../../db/db.ts';
import { selectPage, type Slice } from '../../../db/select-page.ts';
import type { AccessObject } from '../../access/index.ts';
import type { OverridableFlag } from './flag-override.ts';
import type { OverridesQuery } from './flag-overrides.contract.ts';

/** A live flag with the fields that access control needs. */
export interface FlagToOverride extends OverridableFlag, AccessObject {
  readonly id: number;
}

/** An override as a list shows it, with its flag where there is one. */
export interface ShownOverride {
  readonly id: string;
  readonly key: string;
  readonly distinctId: string | null;
  readonly value: boolean | string;
  readonly payload: string | null;
  readonly expiresAt: string | null;
  readonly createdBy: number;
  readonly createdAt: string;
  readonly flag: FlagToOverride | null;
}

type FlagRow = { flagId: number; flagKey: string; filters: string; flagCreatedBy: number | null };
type OverrideRow = Omit<ShownOverride, 'value' | 'flag'> & { value: string } & (
    FlagRow | { [Column in keyof FlagRow]: null }
  );

const FLAG = 'f.id AS "flagId", f.key AS "flagKey", filters, f.created_by AS "flagCreatedBy"';

/** Live flags of a project, all or those of one key, oldest first. */
export async function listFlagsToOverride(
  db: Statements,
  projectId: number,
  key: string | null = null,
): Promise<FlagToOverride[]> {
  const rows = await db.all<FlagRow>(
    `SELECT ${FLAG} FROM feature_flags f
     WHERE project_id = $projectId AND NOT deleted AND ($key::VARCHAR IS NULL OR key = $key) ORDER BY f.id`,
    { projectId, key },
  );
  return rows.map(toFlag);
}

/** Which flags may be seen, as `Access.visibility` says it. */
export interface Sight {
  readonly userId: number;
  readonly byDefault: boolean;
  readonly exceptions: number[];
}

const SHOWN = `SELECT o.id, flag_key AS key, distinct_id AS "distinctId", value, payload, expires_at AS "expiresAt",
    o.created_by AS "createdBy", o.created_at AS "createdAt", ${FLAG}
  FROM flag_overrides o
  LEFT JOIN feature_flags f ON f.project_id = o.project_id AND f.key = o.flag_key AND NOT f.deleted
  WHERE o.project_id = $projectId`;

/** An override by its id, or null. */
export async function findOverride(
  db: Statements,
  projectId: number,
  id: string,
): Promise<ShownOverride | null> {
  const row = await db.first<OverrideRow>(`${SHOWN} AND o.id = $id::UUID`, { projectId, id });
  return row === null ? null : toOverride(row);
}

/** Overrides that hold now (`now` in Unix milliseconds) of flags in sight, newest first; those without a flag too. */
export async function listOverrides(
  db: Statements,
  projectId: number,
  query: OverridesQuery & { sight: Sight; now: number },
  slice: Slice,
): Promise<{ rows: ShownOverride[]; count: number }> {
  const { rows, count } = await selectPage<OverrideRow>(
    db,
    `${SHOWN} AND (expires_at IS NULL OR expires_at > epoch_ms($now))
       AND ($key::VARCHAR IS NULL OR flag_key = $key)
       AND ($distinctId::VARCHAR IS NULL OR distinct_id = $distinctId)
       AND (f.id IS NULL OR f.created_by = $userId OR list_contains($exceptions::BIGINT[], f.id) <> $byDefault)`,
    {
      projectId,
      now: query.now,
      key: query.key ?? null,
      distinctId: query.distinct_id ?? null,
      ...query.sight,
    },
    '"createdAt" DESC, id DESC',
    slice,
  );
  return { rows: rows.map(toOverride), count };
}

function toOverride(row: OverrideRow): ShownOverride {
  const { flagId, value, ...rest } = row;
  return {
    ...rest,
    value: JSON.parse(value) as boolean | string,
    flag: flagId === null ? null : toFlag(row as FlagRow),
  };
}

function toFlag({ flagId, flagKey, filters, flagCreatedBy }: FlagRow): FlagToOverride {
  return {
    id: flagId,
    key: flagKey,
    filters: JSON.parse(filters) as OverridableFlag['filters'],
    createdBy: flagCreatedBy,
  };
}
