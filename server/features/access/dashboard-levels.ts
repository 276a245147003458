import { ADMIN } from '../../lib/member-levels.contract.ts';

/** Everyone in the project can edit, or only collaborators (management contract 3.2). */
export type RestrictionLevel = 21 | 37;
/** Can view, or can edit. */
export type PrivilegeLevel = RestrictionLevel;

const OPEN: RestrictionLevel = 21;
/** The level at which a dashboard and its insights may be edited. */
export const EDIT: PrivilegeLevel = 37;

export interface RestrictedDashboard {
  readonly restrictionLevel: RestrictionLevel;
  /** The user who created it; null: not a user of this machine. */
  readonly createdBy: number | null;
  /** The level of the caller's row among the collaborators; null: none. */
  readonly collaboratorLevel: PrivilegeLevel | null;
}

export interface DashboardLevels {
  readonly effectiveRestrictionLevel: RestrictionLevel;
  readonly effectivePrivilegeLevel: PrivilegeLevel;
  readonly canRestrict: boolean;
  readonly canEdit: boolean;
}

/** What a caller may do with a dashboard by its restriction (management contract 3.3). */
export function dashboardLevels(
  { restrictionLevel, createdBy, collaboratorLevel }: RestrictedDashboard,
  { userId, projectLevel }: { userId: number; projectLevel: number },
): DashboardLevels {
  const canRestrict = createdBy === userId || projectLevel >= ADMIN;
  const effectivePrivilegeLevel =
    restrictionLevel === OPEN || canRestrict ? EDIT : (collaboratorLevel ?? OPEN);
  return {
    effectiveRestrictionLevel: restrictionLevel,
    effectivePrivilegeLevel,
    canRestrict,
    canEdit: restrictionLevel < EDIT || effectivePrivilegeLevel >= EDIT,
  };
}

/** Levels of an insight by the dashboards that contain it (management contract 3.3, last rule). */
export function insightLevels(dashboards: readonly DashboardLevels[]): {
  effectiveRestrictionLevel: RestrictionLevel;
  effectivePrivilegeLevel: PrivilegeLevel;
} {
  const isRestricted = dashboards.some(({ effectiveRestrictionLevel }) => effectiveRestrictionLevel === EDIT);
  const isEditable = dashboards.length === 0 || dashboards.some(({ canEdit }) => canEdit);
  return {
    effectiveRestrictionLevel: isRestricted ? EDIT : OPEN,
    effectivePrivilegeLevel: isEditable ? EDIT : OPEN,
  };
}
