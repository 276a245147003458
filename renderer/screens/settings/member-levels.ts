import type { MemberLevel } from '../../../server/features/members/members.contract.ts';

/** The permissions of each level. */
export const LEVELS: readonly { level: MemberLevel; label: string; text: string }[] = [
  { level: 1, label: 'Member', text: 'Access to every project that is not restricted.' },
  { level: 8, label: 'Admin', text: 'Also manages members, and creates, changes and deletes projects.' },
  { level: 15, label: 'Owner', text: 'Same as admin, and manages owners.' },
];

/** The word for a level. */
export function levelWord(level: MemberLevel): string {
  return LEVELS.find((one) => one.level === level)!.label;
}
