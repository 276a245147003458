import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { Stage } from './early-access-features.contract.ts';

/** What people set of an early access feature. */
export interface FeatureFields {
  readonly name: string;
  readonly description: string;
  readonly stage: Stage;
  /** An address, or ''. */
  readonly documentationUrl: string;
  readonly payload: unknown;
}

export interface EarlyAccessFeature extends FeatureFields {
  readonly id: string;
  readonly projectId: number;
  readonly featureFlagId: number;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** A feature as the database gives it; the payload is JSON text. */
export type FeatureRow = Omit<EarlyAccessFeature, 'payload'> & { payload: string };

/** The columns of a FeatureRow, of a table that is called `e`. */
export const FEATURE = `e.id, e.project_id AS "projectId", e.name, e.description, e.stage,
  e.documentation_url AS "documentationUrl", e.payload, e.feature_flag_id AS "featureFlagId",
  e.created_by AS "createdBy", e.created_at AS "createdAt"`;

export function toFeature<R extends FeatureRow>(row: R): Omit<R, 'payload'> & { payload: unknown } {
  return { ...row, payload: parseExactly(row.payload) as unknown };
}
