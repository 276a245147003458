import { booleanField } from './fields.contract.ts';

/**
 * Whether an unvalidated body restores a soft-deleted object (`deleted: false`). Only such a request finds a deleted
 * object (management contract 3.5).
 */
export function isRestore(sent: unknown): boolean {
  const { deleted } = (typeof sent === 'object' && sent !== null ? sent : {}) as { deleted?: unknown };
  return booleanField().safeParse(deleted).data === false;
}
