/** A table with a column `project_id`. */
export interface ResourceTable {
  readonly name: string;
  /** `uuid_id`: a UUID in the column `id`. `uuid`: a UUID in the column `uuid`. Default: an integer in `id`. */
  readonly key?: 'uuid_id' | 'uuid';
  /** Whether rows lack the column `created_by`. */
  readonly withoutCreator?: true;
  /** The condition that objects meet which are not deleted; without it, deleted objects have no row. */
  readonly isLive?: string;
}

/** The objects of a table as rows of `id`, `created_by` and `project_id`, and what `columns` adds. */
export function selectObjects(
  { name, key, withoutCreator }: ResourceTable,
  options: { columns?: readonly string[]; where?: readonly (string | undefined)[] } = {},
): string {
  const id = key === 'uuid' ? 'uuid AS id' : 'id';
  const creator = withoutCreator ? 'NULL::INTEGER AS created_by' : 'created_by';
  const where = (options.where ?? []).filter((condition) => condition !== undefined);
  return `SELECT ${[id, creator, 'project_id', ...(options.columns ?? [])].join(', ')} FROM ${name}
    ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}`;
}
