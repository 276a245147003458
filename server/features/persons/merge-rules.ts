import { COOKIELESS_DISTINCT_ID } from '../../lib/cookieless.ts';
import type { IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';

const ILLEGAL_ANY_CASE =
  'anonymous guest distinctid distinct_id id not_authenticated email undefined true false';
const ILLEGAL_THIS_CASE = '[object Object]|NaN|None|none|null|0|undefined';

const illegal: ReadonlySet<string> = new Set([
  ...ILLEGAL_THIS_CASE.split('|').flatMap(quotings),
  COOKIELESS_DISTINCT_ID,
]);
const illegalLowerCase: ReadonlySet<string> = new Set(ILLEGAL_ANY_CASE.split(' ').flatMap(quotings));

function quotings(id: string): string[] {
  return [id, `"${id}"`, `'${id}'`];
}

/** Whether an id stands for nobody in particular, so that merging by it would join strangers (contract 6.6.2). */
export function isIllegalDistinctId(distinctId: string): boolean {
  return (
    distinctId.trim() === '' || illegal.has(distinctId) || illegalLowerCase.has(distinctId.toLowerCase())
  );
}

type Merge = NonNullable<IdentityUpdate['merge']>;

/** The id whose person stays, and the one whose person is taken in: an alias becomes the main id (contract 6.5). */
export function sidesOf(
  distinctId: string,
  { kind, otherId }: Merge,
): { survivorId: string; absorbedId: string } {
  return kind === '$create_alias'
    ? { survivorId: otherId, absorbedId: distinctId }
    : { survivorId: distinctId, absorbedId: otherId };
}

/**
 * Whether two persons who both exist stay apart (contract 6.6.4): somebody identified is not taken in by another, except
 * dangerously; an alias is refused only between two of them, because SDKs disagree which side of it is the new one.
 */
export function isMergeRefused(
  kind: Merge['kind'],
  survivor: { isIdentified: boolean },
  absorbed: { isIdentified: boolean },
): boolean {
  if (kind === '$merge_dangerously') return false;
  if (kind === '$create_alias') return survivor.isIdentified && absorbed.isIdentified;
  return absorbed.isIdentified;
}
