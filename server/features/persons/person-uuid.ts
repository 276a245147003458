import { createHash } from 'node:crypto';
import { PERSON_UUID_NAMESPACE } from '../../lib/person-namespace.ts';

const NAMESPACE = Buffer.from(PERSON_UUID_NAMESPACE, 'hex');

/**
 * The UUID of the person, or placeholder, that a distinct id begins (version 5, RFC 9562: the same for the same project
 * and id on every machine, as PostHog makes it).
 */
export function personUuid(projectId: number, distinctId: string): string {
  const bytes = createHash('sha1').update(NAMESPACE).update(`${projectId}:${distinctId}`).digest();
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
