import type { ProjectRef } from '../../../http/define-route.ts';
import type { FlagTrace } from '../../../conditions/index.ts';
import type { MaybePromise } from '../subjects/subject.ts';
import type { FlagsRequest } from './decide.contract.ts';
import type { RequestRuntime } from './evaluation-runtime.ts';
import type { LoadedSubject } from './loaded-subject.ts';

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
  /** Only when requested, and the flag was not overridden. */
  trace?: FlagTrace | undefined;
}

/** A flag that could not be computed, and why, in a sentence. */
export interface FlagError {
  key: string;
  cause: string;
}

/** All flags of a project that could be computed; those that could not are left out and counted as errors. */
export interface Evaluation {
  flags: readonly FlagResult[];
  errors: readonly FlagError[];
  quotaLimited: boolean;
  /** The stored data of the user; null when it was not or could not be read. */
  subject: LoadedSubject | null;
}

/** Evaluation options that are not part of the request body. */
export interface EvaluationOptions {
  /** Unix ms. */
  now: number;
  /** The client's address, or null. */
  ip: string | null;
  /** The runtime of the client; null when unknown. */
  runtime: RequestRuntime | null;
  /** Whether to evaluate only the flags of surveys (8.5). */
  surveysOnly: boolean;
  /** Whether to record a trace of each value. */
  trace: boolean;
  /** Whether the answer may be remembered for the user (F-8). */
  mayRemember: boolean;
}

/** Returns synchronously when everything is in memory. */
export type EvaluateFlags = (
  project: ProjectRef,
  request: FlagsRequest,
  options: EvaluationOptions,
) => MaybePromise<Evaluation>;

/** The evaluation of a project without flags, and of a request with flags disabled. */
export const NO_FLAGS: Evaluation = { flags: [], errors: [], quotaLimited: false, subject: null };
