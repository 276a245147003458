import type { FlagExplanation } from '../../../server/features/feature-flags/decide/decide.contract.ts';

/** One line of "what": a flag and its answer. */
export interface FlagRow {
  key: string;
  /** `null`: it is not in the answer, because it is off or could not be computed. */
  value: boolean | string | null;
  /** The answer with stored values alone, where that is another one; else `undefined`. */
  was?: boolean | string | null;
  /** Why it could not be computed. */
  error: string | null;
  isForced: boolean;
  /** The flag is inactive. */
  isOff: boolean;
}

export type RowFilter = 'all' | 'on' | 'off' | 'changed';

/** The value of a flag in an explanation. */
export function valueIn(explanation: FlagExplanation, key: string): boolean | string | null {
  if (!Object.hasOwn(explanation.answer.flags, key)) return null;
  const { enabled, variant } = explanation.answer.flags[key]!;
  return enabled ? (variant ?? true) : false;
}

/** All flags of an explanation by name; beside one of stored values alone (`before`), what each was. */
export function flagRows(explanation: FlagExplanation, before: FlagExplanation | null): FlagRow[] {
  const errors = new Map(explanation.errors.map(({ key, cause }) => [key, cause]));
  const keys = new Set([
    ...Object.keys(explanation.traces),
    ...Object.keys(explanation.answer.flags),
    ...errors.keys(),
  ]);
  return [...keys].toSorted(byName).map((key) => {
    const value = valueIn(explanation, key);
    const was = before === null ? value : valueIn(before, key);
    const trace = Object.hasOwn(explanation.traces, key) ? explanation.traces[key] : undefined;
    return {
      key,
      value,
      ...(was === value ? {} : { was }),
      error: errors.get(key) ?? null,
      isForced: trace?.decided_by === 'override',
      isOff: trace?.decided_by === 'disabled',
    };
  });
}

/** The rows that a search and a filter leave. */
export function filterRows(rows: readonly FlagRow[], query: string, filter: RowFilter): FlagRow[] {
  const wanted = query.trim().toLowerCase();
  return rows.filter((row) => row.key.toLowerCase().includes(wanted) && FILTERS[filter](row));
}

const FILTERS: Readonly<Record<RowFilter, (row: FlagRow) => boolean>> = {
  all: () => true,
  on: ({ value }) => value !== null && value !== false,
  off: ({ value }) => value === null || value === false,
  changed: (row) => 'was' in row,
};

/** Two explanations flag by flag: those that differ first. */
export interface ComparedRow {
  key: string;
  one: boolean | string | null;
  other: boolean | string | null;
}

/** The flags of two contexts, apart: those that differ, and those that are the same for both. */
export function compareFlags(
  one: FlagExplanation,
  other: FlagExplanation,
): { different: ComparedRow[]; same: ComparedRow[] } {
  const keys = new Set([...flagRows(one, null), ...flagRows(other, null)].map(({ key }) => key));
  const rows = [...keys]
    .toSorted(byName)
    .map((key) => ({ key, one: valueIn(one, key), other: valueIn(other, key) }));
  return {
    different: rows.filter((row) => row.one !== row.other),
    same: rows.filter((row) => row.one === row.other),
  };
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/**
 * Explained flags that a response lacks, as the endpoint leaves out flags for another evaluation runtime than the
 * caller's. Only for responses with every flag; for others, and without a response, none.
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
