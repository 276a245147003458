import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** Makes a new UUID (version 7: ordered by time, so that rows made together lie together on disk). */
export type NewId = () => string;

export const newUuid: NewId = () => v7();

/** A random secret of `bytes` bytes as base64url text behind `prefix` (`phc_`, `phx_`...). */
export function newSecret(prefix: string, bytes = 32): string {
  return prefix + randomBytes(bytes).toString('base64url').replaceAll('-', 'A').replaceAll('_', 'B');
}
