import type { Clock } from '../../lib/clock.ts';
import type { Override } from './flag-override.ts';

interface FlagOverrideEntry {
  everyone: Override | null;
  readonly own: Map<string, Override>;
}

/** All local overrides in memory, since every flags request reads them. */
export interface OverrideCache {
  /** Replaces all overrides. */
  replaceAll(overrides: readonly Override[]): void;
  /** The active override for a distinct ID: its own, or everyone's; expired ones do not count. */
  find(projectId: number, flagKey: string, distinctId: string): Override | null;
  /** Whether the project has any override; a cheap check. */
  hasAny(projectId: number): boolean;
  /** The number of active overrides of a flag. */
  count(projectId: number, flagKey: string): number;
}

export function createOverrideCache(clock: Clock): OverrideCache {
  let projects = new Map<number, Map<string, FlagOverrideEntry>>();

  const isActive = (override: Override | null | undefined): override is Override =>
    override !== null &&
    override !== undefined &&
    (override.expiresAt === null || override.expiresAt > clock());

  return {
    replaceAll(overrides) {
      projects = new Map();
      for (const override of overrides) {
        const { projectId, flagKey, distinctId } = override;
        let flags = projects.get(projectId);
        if (flags === undefined) projects.set(projectId, (flags = new Map<string, FlagOverrideEntry>()));
        let entry = flags.get(flagKey);
        if (entry === undefined)
          flags.set(flagKey, (entry = { everyone: null, own: new Map<string, Override>() }));
        if (distinctId === null) entry.everyone = override;
        else entry.own.set(distinctId, override);
      }
    },
    find(projectId, flagKey, distinctId) {
      const entry = projects.get(projectId)?.get(flagKey);
      if (entry === undefined) return null;
      const own = entry.own.get(distinctId);
      if (isActive(own)) return own;
      return isActive(entry.everyone) ? entry.everyone : null;
    },
    hasAny: (projectId) => projects.has(projectId),
    count(projectId, flagKey) {
      const entry = projects.get(projectId)?.get(flagKey);
      if (entry === undefined) return 0;
      return [entry.everyone, ...entry.own.values()].filter(isActive).length;
    },
  };
}
