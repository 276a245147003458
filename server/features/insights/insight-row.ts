/** An insight as it is stored. */
export interface InsightRow {
  readonly id: number;
  readonly projectId: number;
  readonly shortId: string;
  readonly name: string | null;
  readonly derivedName: string | null;
  readonly description: string;
  /** JSON of an object. */
  readonly filters: string;
  /** JSON of a node. */
  readonly query: string | null;
  readonly position: number | null;
  /** JSON of a list of texts. */
  readonly tags: string;
  readonly favorited: boolean;
  readonly saved: boolean;
  readonly isSample: boolean;
  readonly deleted: boolean;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastModifiedBy: number | null;
  readonly lastModifiedAt: string;
}

/** An insight to store; the store sets its ID and times. */
export type NewInsightRow = Omit<
  InsightRow,
  'id' | 'createdAt' | 'updatedAt' | 'lastModifiedAt' | 'lastModifiedBy' | 'deleted'
>;

/** The columns of `InsightRow`. */
export const INSIGHT = `id, project_id AS "projectId", short_id AS "shortId", name, derived_name AS "derivedName",
  description, filters, query, position, tags, favorited, saved, is_sample AS "isSample", deleted,
  created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt",
  last_modified_by AS "lastModifiedBy", last_modified_at AS "lastModifiedAt"`;
