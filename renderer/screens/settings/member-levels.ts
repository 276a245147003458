import type { MemberLevel } from '../../api/members.api.ts';

/** What somebody may do, by level. */
export const LEVELS: readonly { level: MemberLevel; label: string; text: string }[] = [
  { level: 1, label: 'Member', text: 'Works in every project that is not closed to them.' },
  { level: 8, label: 'Admin', text: 'Also adds people, and makes, changes and deletes projects.' },
  { level: 15, label: 'Owner', text: 'As an admin, and decides who is an owner.' },
];

/** The word for a level. */
export function levelWord(level: MemberLevel): string {
  return LEVELS.find((one) => one.level === level)!.label;
}
