import { booleanField } from './fields.contract.ts';

/**
 * Whether a body, as it came, brings back what was deleted softly: `deleted: false`. Only such a change finds a deleted
 * object (management contract 3.5).
 */
export function isBroughtBack(sent: unknown): boolean {
  const { deleted } = (typeof sent === 'object' && sent !== null ? sent : {}) as { deleted?: unknown };
  return booleanField().safeParse(deleted).data === false;
}
