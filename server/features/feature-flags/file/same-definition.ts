import { isDeepStrictEqual } from 'node:util';

/** Whether two definitions say the same: what is null or an empty list says as little as what is absent. */
export function saysTheSame(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(essence(a), essence(b));
}

function essence(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, essence(member)] as const)
    .filter(([, member]) => !isNothing(member));
  return Object.fromEntries(members);
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
