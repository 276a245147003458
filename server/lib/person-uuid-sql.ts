import { PERSON_UUID_NAMESPACE } from './person-namespace.ts';

/** DuckDB's SQL of the hash behind the UUID of a person that a distinct ID creates (version 5, RFC 9562). */
export function personHashSql(projectId: string, distinctId: string): string {
  return `sha1(unhex('${PERSON_UUID_NAMESPACE}') || encode(CAST(${projectId} AS VARCHAR) || ':' || ${distinctId}))`;
}

/** DuckDB's SQL of a UUID of such a hash; NULL of NULL. */
export function uuidOfHashSql(hash: string): string {
  const variant = `substr('89ab', (strpos('0123456789abcdef', substr(${hash}, 17, 1)) - 1) % 4 + 1, 1)`;
  const parts = [
    `substr(${hash}, 1, 12)`,
    `'5'`,
    `substr(${hash}, 14, 3)`,
    variant,
    `substr(${hash}, 18, 15)`,
  ];
  return `CAST(${parts.join(' || ')} AS UUID)`;
}
