import { isDeepStrictEqual } from 'node:util';
import type { UpdateFlagBody } from './feature-flags.contract.ts';
import { logFieldsOf } from './flag-fields.ts';
import type { FlagFields } from './flag-row.ts';
import { shownFilters } from './minimal-flag.ts';

/**
 * Fields that a change would take back from somebody else (management contract 9.1, `version`): whoever sends the change
 * saw `original`, wants something else in a field that the body names, and it is meanwhile neither of both.
 */
export function conflictsOf(
  original: Readonly<Record<string, unknown>>,
  body: UpdateFlagBody,
  stored: FlagFields,
  wanted: FlagFields,
): string[] {
  const [now, then] = [logFieldsOf(stored), logFieldsOf(wanted)];
  const seen = asTold(original, stored);
  const same = (a: unknown, b: unknown) => isDeepStrictEqual(plain(a), plain(b));
  return (Object.keys(now) as (keyof typeof now)[]).filter(
    (field) =>
      body[field] !== undefined &&
      Object.hasOwn(seen, field) &&
      !same(then[field], seen[field]) &&
      !same(now[field], seen[field]) &&
      !same(then[field], now[field]),
  );
}

/** Secret payloads are shown to some and not to others: nothing is told of them here. */
function asTold(original: Readonly<Record<string, unknown>>, { hasEncryptedPayloads }: FlagFields) {
  const filters = original['filters'];
  if (!hasEncryptedPayloads || typeof filters !== 'object' || filters === null) return original;
  return { ...original, filters: shownFilters({ filters, hasEncryptedPayloads }) };
}

/** Without what answers add: names of cohorts. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, part: unknown) => (key === 'cohort_name' ? undefined : part)),
  );
}
