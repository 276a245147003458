import type { FlagDetails, FlagValue } from './decide.contract.ts';
import type { AnswerShape } from './decide-version.ts';
import type { Evaluation, FlagResult } from './evaluation.ts';

/** What stands beside the flags in an answer. */
export interface AnswerFrame {
  /** The configuration part, or null when it was not asked for. */
  config: object | null;
  requestId: string;
  /** Unix ms. */
  evaluatedAt: number;
}

/** The body of an answer of `/decide` or `/flags` in the shape asked for (ingestion contract 7.3, 7.4, 8.2). */
export function decideResponse(shape: AnswerShape, evaluation: Evaluation, frame: AnswerFrame): object {
  return {
    ...frame.config,
    ...SHAPES[shape](evaluation),
    ...(evaluation.quotaLimited ? { quotaLimited: ['feature_flags'] } : {}),
    requestId: frame.requestId,
    evaluatedAt: frame.evaluatedAt,
  };
}

const SHAPES: Record<AnswerShape, (evaluation: Evaluation) => object> = {
  1: enabledKeys,
  2: enabledValues,
  3: allValues,
  4: details,
  legacy: (evaluation) => allValues({ ...evaluation, flags: evaluation.flags.filter((flag) => flag.active) }),
};

function enabledKeys({ flags }: Evaluation): { featureFlags: string[] } {
  return { featureFlags: flags.filter((flag) => flag.enabled).map((flag) => flag.key) };
}

function enabledValues({ flags }: Evaluation): { featureFlags: Record<string, FlagValue> } {
  return {
    featureFlags: byKey(flags.filter((flag) => flag.enabled).map((flag) => [flag.key, valueOf(flag)])),
  };
}

function allValues({ flags, errorsWhileComputingFlags }: Evaluation): {
  featureFlags: Record<string, FlagValue>;
  featureFlagPayloads: Record<string, string>;
  errorsWhileComputingFlags: boolean;
} {
  const payloads: [string, string][] = [];
  for (const { key, enabled, payload } of flags)
    if (enabled && payload !== null) payloads.push([key, payload]);
  return {
    featureFlags: byKey(flags.map((flag) => [flag.key, valueOf(flag)])),
    featureFlagPayloads: byKey(payloads),
    errorsWhileComputingFlags,
  };
}

function details({ flags, errorsWhileComputingFlags }: Evaluation): {
  flags: Record<string, FlagDetails>;
  errorsWhileComputingFlags: boolean;
} {
  const active = flags.filter((flag) => flag.active);
  return { flags: byKey(active.map((flag) => [flag.key, detailsOf(flag)])), errorsWhileComputingFlags };
}

function detailsOf(flag: FlagResult): FlagDetails {
  return {
    key: flag.key,
    enabled: flag.enabled,
    variant: flag.variant,
    reason: {
      code: flag.reason.code,
      condition_index: flag.reason.conditionIndex,
      description: flag.reason.description,
    },
    metadata: {
      id: flag.id,
      version: flag.version,
      description: flag.description,
      payload: flag.payload,
      has_experiment: flag.hasExperiment,
    },
  };
}

function valueOf(flag: FlagResult): FlagValue {
  return flag.enabled ? (flag.variant ?? true) : false;
}

/** An object from entries; `fromEntries` defines own keys, so that a flag named `__proto__` is a key like any other. */
function byKey<T>(entries: [string, T][]): Record<string, T> {
  return Object.fromEntries(entries);
}
