import type { FlagDetails, FlagValue } from './decide.contract.ts';
import type { AnswerShape } from './decide-version.ts';
import type { Evaluation, FlagResult } from './evaluation.ts';

/** The fields of a response beside the flags. */
export interface AnswerFrame {
  /** The configuration, JSON text of a non-empty object, or null when not requested. */
  config: string | null;
  requestId: string;
  /** Unix ms. */
  evaluatedAt: number;
}

/**
 * JSON text of a response of `/decide` or `/flags` in the requested version (ingestion contract 7.3, 7.4, 8.2). It is
 * put together from texts: an object of many flags costs more than their evaluation.
 */
export function decideResponse(shape: AnswerShape, evaluation: Evaluation, frame: AnswerFrame): string {
  const { config, requestId, evaluatedAt } = frame;
  const opening = config === null ? '{' : `${config.slice(0, -1)},`;
  const quota = evaluation.quotaLimited ? ',"quotaLimited":["feature_flags"]' : '';
  return `${opening}${SHAPES[shape](evaluation)}${quota},"requestId":"${requestId}","evaluatedAt":${evaluatedAt}}`;
}

/** The body of `/flags?v=2`, without configuration. */
export function detailedAnswer(
  { flags, errors }: Evaluation,
  { requestId, evaluatedAt }: Omit<AnswerFrame, 'config'>,
) {
  const active = flags.filter((flag) => flag.active);
  return {
    flags: Object.fromEntries(active.map((flag) => [flag.key, detailsOf(flag)])),
    errorsWhileComputingFlags: errors.length > 0,
    requestId,
    evaluatedAt,
  };
}

/** Members of the response about flags. */
const SHAPES: Record<AnswerShape, (evaluation: Evaluation) => string> = {
  1: ({ flags }) => `"featureFlags":${JSON.stringify(flags.filter(isEnabled).map(({ key }) => key))}`,
  2: ({ flags }) => `"featureFlags":${membersOf(flags, isEnabled, valueText)}`,
  3: (evaluation) => allValues(evaluation, () => true),
  4: ({ flags, errors }) =>
    `"errorsWhileComputingFlags":${errors.length > 0},"flags":${membersOf(flags, isActive, (flag) => JSON.stringify(detailsOf(flag)))}`,
  legacy: (evaluation) => allValues(evaluation, isActive),
};

type Test = (flag: FlagResult) => boolean;
const isEnabled: Test = ({ enabled }) => enabled;
const isActive: Test = ({ active }) => active;
const hasPayload: Test = ({ enabled, payload }) => enabled && payload !== null;

function allValues({ flags, errors }: Evaluation, isIncluded: Test): string {
  const values = membersOf(flags, isIncluded, valueText);
  const payloads = membersOf(flags, hasPayload, ({ payload }) => JSON.stringify(payload));
  return `"featureFlags":${values},"featureFlagPayloads":${payloads},"errorsWhileComputingFlags":${errors.length > 0}`;
}

/** JSON text of an object with a member per included flag. */
function membersOf(
  flags: readonly FlagResult[],
  isIncluded: Test,
  textOf: (flag: FlagResult) => string,
): string {
  let text = '';
  for (const flag of flags) {
    if (isIncluded(flag)) text += `${text === '' ? '{' : ','}${JSON.stringify(flag.key)}:${textOf(flag)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function valueText(flag: FlagResult): string {
  if (!flag.enabled) return 'false';
  return flag.variant === null ? 'true' : JSON.stringify(flag.variant);
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

/** The value of a flag as older answers have it: the variant, or whether it is on. */
export function valueOf(flag: FlagResult): FlagValue {
  return flag.enabled ? (flag.variant ?? true) : false;
}
