import type { Clock } from '../../lib/clock.ts';

/** The failure of an insight's last query. */
export interface InsightFailure {
  readonly insightId: number;
  readonly message: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Insights whose last query failed, since the server started. */
export interface InsightFailures {
  /** Records the error of an insight's query; null: it succeeded. */
  note(projectId: number, insightId: number, message: string | null): void;
  /** The latest first. */
  of(projectId: number): InsightFailure[];
}

/** Limit per project; the oldest are dropped. */
const MOST = 50;

/** In memory: a failure is only relevant until the next query. */
export function createInsightFailures({ clock }: { clock: Clock }): InsightFailures {
  const projects = new Map<number, Map<number, InsightFailure>>();
  return {
    note(projectId, insightId, message) {
      const failures = projects.get(projectId) ?? new Map<number, InsightFailure>();
      failures.delete(insightId);
      if (message !== null) failures.set(insightId, { insightId, message, at: clock() });
      const [oldest] = failures.keys();
      if (failures.size > MOST) failures.delete(oldest!);
      if (failures.size > 0) projects.set(projectId, failures);
      else projects.delete(projectId);
    },
    of: (projectId) => [...(projects.get(projectId)?.values() ?? [])].toReversed(),
  };
}
