import { describe, expect, test } from 'vitest';
import { dashboardLevels, insightLevels, type DashboardLevels } from './dashboard-levels.ts';

const ME = 2;
const SOMEBODY = 3;

/** restriction, created by, project level, collaborator; then effective restriction and privilege, may restrict, may edit. */
type Row = [21 | 37, number | null, 0 | 1 | 8, 21 | 37 | null, 21 | 37, 21 | 37, boolean, boolean];

const EVERY_COMBINATION: readonly Row[] = [
  [21, ME, 0, null, 21, 37, true, true],
  [21, ME, 0, 21, 21, 37, true, true],
  [21, ME, 0, 37, 21, 37, true, true],
  [21, ME, 1, null, 21, 37, true, true],
  [21, ME, 1, 21, 21, 37, true, true],
  [21, ME, 1, 37, 21, 37, true, true],
  [21, ME, 8, null, 21, 37, true, true],
  [21, ME, 8, 21, 21, 37, true, true],
  [21, ME, 8, 37, 21, 37, true, true],
  [21, SOMEBODY, 0, null, 21, 37, false, true],
  [21, SOMEBODY, 0, 21, 21, 37, false, true],
  [21, SOMEBODY, 0, 37, 21, 37, false, true],
  [21, SOMEBODY, 1, null, 21, 37, false, true],
  [21, SOMEBODY, 1, 21, 21, 37, false, true],
  [21, SOMEBODY, 1, 37, 21, 37, false, true],
  [21, SOMEBODY, 8, null, 21, 37, true, true],
  [21, SOMEBODY, 8, 21, 21, 37, true, true],
  [21, SOMEBODY, 8, 37, 21, 37, true, true],
  [21, null, 0, null, 21, 37, false, true],
  [21, null, 0, 21, 21, 37, false, true],
  [21, null, 0, 37, 21, 37, false, true],
  [21, null, 1, null, 21, 37, false, true],
  [21, null, 1, 21, 21, 37, false, true],
  [21, null, 1, 37, 21, 37, false, true],
  [21, null, 8, null, 21, 37, true, true],
  [21, null, 8, 21, 21, 37, true, true],
  [21, null, 8, 37, 21, 37, true, true],
  [37, ME, 0, null, 37, 37, true, true],
  [37, ME, 0, 21, 37, 37, true, true],
  [37, ME, 0, 37, 37, 37, true, true],
  [37, ME, 1, null, 37, 37, true, true],
  [37, ME, 1, 21, 37, 37, true, true],
  [37, ME, 1, 37, 37, 37, true, true],
  [37, ME, 8, null, 37, 37, true, true],
  [37, ME, 8, 21, 37, 37, true, true],
  [37, ME, 8, 37, 37, 37, true, true],
  [37, SOMEBODY, 0, null, 37, 21, false, false],
  [37, SOMEBODY, 0, 21, 37, 21, false, false],
  [37, SOMEBODY, 0, 37, 37, 37, false, true],
  [37, SOMEBODY, 1, null, 37, 21, false, false],
  [37, SOMEBODY, 1, 21, 37, 21, false, false],
  [37, SOMEBODY, 1, 37, 37, 37, false, true],
  [37, SOMEBODY, 8, null, 37, 37, true, true],
  [37, SOMEBODY, 8, 21, 37, 37, true, true],
  [37, SOMEBODY, 8, 37, 37, 37, true, true],
  [37, null, 0, null, 37, 21, false, false],
  [37, null, 0, 21, 37, 21, false, false],
  [37, null, 0, 37, 37, 37, false, true],
  [37, null, 1, null, 37, 21, false, false],
  [37, null, 1, 21, 37, 21, false, false],
  [37, null, 1, 37, 37, 37, false, true],
  [37, null, 8, null, 37, 37, true, true],
  [37, null, 8, 21, 37, 37, true, true],
  [37, null, 8, 37, 37, 37, true, true],
];

describe('M3.3 the levels of a restricted dashboard', () => {
  test('the table has every combination once', () => {
    const inputs = EVERY_COMBINATION.map(([restriction, creator, project, collaborator]) =>
      [restriction, creator, project, collaborator].join(),
    );
    expect(new Set(inputs).size).toBe(2 * 3 * 3 * 3);
  });

  test.each(EVERY_COMBINATION)(
    'restricted to %i, created by %s, project level %i, collaborator %s: %i, %i, may restrict %s, may edit %s',
    (restrictionLevel, createdBy, projectLevel, collaboratorLevel, ...expected) => {
      const levels = dashboardLevels(
        { restrictionLevel, createdBy, collaboratorLevel },
        { userId: ME, projectLevel },
      );
      expect([
        levels.effectiveRestrictionLevel,
        levels.effectivePrivilegeLevel,
        levels.canRestrict,
        levels.canEdit,
      ]).toEqual(expected);
    },
  );
});

describe('M3.3 an insight', () => {
  const open: DashboardLevels = dashboardLevels(
    { restrictionLevel: 21, createdBy: SOMEBODY, collaboratorLevel: null },
    { userId: ME, projectLevel: 1 },
  );
  const mine: DashboardLevels = dashboardLevels(
    { restrictionLevel: 37, createdBy: ME, collaboratorLevel: null },
    { userId: ME, projectLevel: 1 },
  );
  const closed: DashboardLevels = dashboardLevels(
    { restrictionLevel: 37, createdBy: SOMEBODY, collaboratorLevel: null },
    { userId: ME, projectLevel: 1 },
  );

  test.each<[string, DashboardLevels[], 21 | 37, 21 | 37]>([
    ['no dashboard', [], 21, 37],
    ['an open one', [open], 21, 37],
    ['a restricted one of mine', [mine], 37, 37],
    ['a restricted one of another user', [closed], 37, 21],
    ['an open and a restricted one of mine', [open, mine], 37, 37],
    ['an open and a restricted one of another user', [open, closed], 37, 37],
    ['a restricted one of the caller and one of another user', [mine, closed], 37, 37],
    ['two restricted ones of another user', [closed, closed], 37, 21],
    ['one of each', [open, mine, closed], 37, 37],
  ])('on %s', (_where, dashboards, effectiveRestrictionLevel, effectivePrivilegeLevel) => {
    const expected = { effectiveRestrictionLevel, effectivePrivilegeLevel };
    expect(insightLevels(dashboards)).toEqual(expected);
    expect(insightLevels(dashboards.toReversed())).toEqual(expected);
  });
});
