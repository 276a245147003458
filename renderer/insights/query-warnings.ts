/** A warning of the server that a field of a stored query has no effect. */
export interface QueryWarning {
  message: string;
  field?: string | undefined;
}

/** Required fields: without one the query would be invalid, so it stays, and the server refuses it by name. */
const NEEDED = new Set(['key', 'query', 'breakdown', 'property']);

/**
 * The same query without the fields that have no effect: the server runs a stored query that has them, and refuses a new
 * one.
 */
export function withoutUnsupported<Q>(query: Q, warnings: readonly QueryWarning[] = []): Q {
  return warnings.reduce(
    (changed, { field }) => (field ? without(changed, field.split('.')) : changed),
    query,
  );
}

function without<Q>(value: Q, [first, ...rest]: readonly string[]): Q {
  if (typeof value !== 'object' || value === null || first === undefined || NEEDED.has(first)) return value;
  if (Array.isArray(value)) {
    return value.map((item: unknown, at) => (String(at) === first ? without(item, rest) : item)) as Q;
  }
  if (!Object.hasOwn(value, first)) return value;
  const { [first]: inner, ...others } = value as Record<string, unknown>;
  return (rest.length === 0 ? others : { ...value, [first]: without(inner, rest) }) as Q;
}
