import type { Clock } from '../../lib/clock.ts';
import type { Override } from './flag-override.ts';

interface OfFlag {
  everyone: Override | null;
  readonly own: Map<string, Override>;
}

/** All overrides in memory: every request for flags asks. */
export interface OverrideBook {
  /** Holds these and no others. */
  hold(overrides: readonly Override[]): void;
  /** The override that holds for a distinct id: its own before everyone's; one that has expired is none. */
  find(projectId: number, flagKey: string, distinctId: string): Override | null;
  /** Whether anything of the project may be overridden; costs nothing when it is not. */
  hasAny(projectId: number): boolean;
  /** How many overrides a flag has now. */
  count(projectId: number, flagKey: string): number;
}

export function createOverrideBook(clock: Clock): OverrideBook {
  let projects = new Map<number, Map<string, OfFlag>>();

  const holds = (override: Override | null | undefined): override is Override =>
    override !== null &&
    override !== undefined &&
    (override.expiresAt === null || override.expiresAt > clock());

  return {
    hold(overrides) {
      projects = new Map();
      for (const override of overrides) {
        const { projectId, flagKey, distinctId } = override;
        let flags = projects.get(projectId);
        if (flags === undefined) projects.set(projectId, (flags = new Map<string, OfFlag>()));
        let ofFlag = flags.get(flagKey);
        if (ofFlag === undefined)
          flags.set(flagKey, (ofFlag = { everyone: null, own: new Map<string, Override>() }));
        if (distinctId === null) ofFlag.everyone = override;
        else ofFlag.own.set(distinctId, override);
      }
    },
    find(projectId, flagKey, distinctId) {
      const ofFlag = projects.get(projectId)?.get(flagKey);
      if (ofFlag === undefined) return null;
      const own = ofFlag.own.get(distinctId);
      if (holds(own)) return own;
      return holds(ofFlag.everyone) ? ofFlag.everyone : null;
    },
    hasAny: (projectId) => projects.has(projectId),
    count(projectId, flagKey) {
      const ofFlag = projects.get(projectId)?.get(flagKey);
      if (ofFlag === undefined) return 0;
      return [ofFlag.everyone, ...ofFlag.own.values()].filter(holds).length;
    },
  };
}
