import type { FlagExplanation } from '../../api/flag-explanations.api.ts';

/**
 * Flags that are explained and that a response lacks, as the route leaves out those that are made for another kind of SDK
 * than the one that asks. Only of responses that name every flag; of others, and of what is no answer, none.
 */
export function leftOut(explanation: FlagExplanation, text: string): string[] {
  const listed = listedFlags(text);
  if (listed === null) return [];
  return Object.keys(explanation.answer.flags).filter((key) => !Object.hasOwn(listed, key));
}

/** The flags of an answer by key: details, or values of all beside payloads; `null` for an answer that names only some. */
function listedFlags(text: string): object | null {
  try {
    const { flags, featureFlags, featureFlagPayloads } = JSON.parse(text) as Record<string, unknown>;
    if (isRecord(flags)) return flags;
    return isRecord(featureFlags) && isRecord(featureFlagPayloads) ? featureFlags : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
