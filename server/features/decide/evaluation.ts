import type { ProjectRef } from '../../http/define-route.ts';
import type { FlagsRequest } from './decide.contract.ts';

/** What one flag says for one user. */
export interface FlagResult {
  id: number;
  key: string;
  version: number;
  description: string | null;
  /** An inactive flag is off; only `/decide` v1 to v3 still name it (ingestion contract 8.4). */
  active: boolean;
  enabled: boolean;
  /** Variant of a multivariate flag that is on; null otherwise. */
  variant: string | null;
  /** JSON text, or null when the flag is off or has none. */
  payload: string | null;
  hasExperiment: boolean;
  /** Code and sentence of ingestion contract 8.3. */
  reason: { code: string; conditionIndex: number | null; description: string };
}

/** All flags of a project that could be computed; those that could not are left out and counted as errors. */
export interface Evaluation {
  flags: readonly FlagResult[];
  errorsWhileComputingFlags: boolean;
  quotaLimited: boolean;
}

export type EvaluateFlags = (project: ProjectRef, request: FlagsRequest) => Evaluation | Promise<Evaluation>;

/** The evaluation of a project without flags, and of a request that wants none. */
export const NO_FLAGS: Evaluation = { flags: [], errorsWhileComputingFlags: false, quotaLimited: false };
