import type { Db, Analytics } from '../../db/db.ts';
import type { ServiceChannel } from '../../db/client.ts';
import type { Clock } from '../../lib/clock.ts';
import type { CohortBook } from './cohort-book.ts';
import { openConditions, type ConditionParts } from './cohort-conditions.ts';
import { countMembers } from './cohorts.reads.ts';

/** How many persons are in a cohort. */
export interface CohortCount {
  /** Null: never computed so far. */
  count: number | null;
  /** Unix milliseconds: when it was true. */
  at: number | null;
  /** It is being recomputed. */
  isCalculating: boolean;
}

export interface CohortCounts {
  /**
   * The counts of live cohorts, as of now; those that take longer than a moment to compute are the last known ones, and
   * ready for a later request.
   */
  of(projectId: number, cohortIds: readonly number[]): Promise<Map<number, CohortCount>>;
  /** Forgets the counts of a cohort and of those that name it: its rule or its list has changed. */
  forget(projectId: number, cohortId: number): void;
}

/** A reader waits so long for a count, in milliseconds. */
const PATIENCE_MS = 2_000;
/** Of rules about time: who is in such a cohort changes while nothing happens. */
const TIMED_MS = 1_000;
/** A count that took longer than this serves for some times as long, whatever happens meanwhile. */
const LONG_MS = 1_000;
const REST = 4;

interface Known {
  count: number;
  at: number;
  /** The changes of the store that it has seen. */
  changes: number;
  took: number;
  /** The project's, in which dates without one were read. */
  timezone: string | undefined;
}

interface Work {
  done: Promise<void>;
  changes: number;
  began: number;
}

/** Keeps counts in memory until the store has changed. Many are computed by one statement. */
export function createCohortCounts(parts: {
  db: Db;
  analytics: Analytics;
  channel: ServiceChannel;
  clock: Clock;
  book: CohortBook;
  projects: ConditionParts['projects'];
}): CohortCounts {
  const { analytics, channel, clock, book, projects } = parts;
  const known = new Map<number, Known>();
  /** The latest work on each count: what an earlier one finds says nothing any more. */
  const latest = new Map<number, Work>();

  const timezoneOf = (projectId: number): string | undefined => projects.find(projectId)?.timezone;

  function isFresh(projectId: number, id: number, changes: number): boolean {
    const count = known.get(id);
    if (count === undefined || count.timezone !== timezoneOf(projectId)) return false;
    const age = clock() - count.at;
    if (count.took > LONG_MS && age >= 0 && age < count.took * REST) return true;
    if (count.changes !== changes) return false;
    const isTimed = book.within(projectId, id).some((cohort) => cohort.isTimed);
    return !isTimed || (age >= 0 && age < TIMED_MS);
  }

  /** Running work that has seen all changes, or that takes long: requests share it. */
  function isUnderWay(id: number, changes: number): boolean {
    const work = latest.get(id);
    return work !== undefined && (work.changes === changes || performance.now() - work.began > LONG_MS);
  }

  async function compute(projectId: number, ids: readonly number[], work: Work): Promise<void> {
    const conditions = await openConditions(parts, projectId);
    const at = clock();
    const timezone = timezoneOf(projectId);
    const counts = await countMembers(analytics, projectId, ids, conditions);
    const took = performance.now() - work.began;
    for (const [id, count] of counts) {
      if (latest.get(id) === work) known.set(id, { count, at, changes: work.changes, took, timezone });
    }
  }

  function start(projectId: number, ids: readonly number[], changes: number): void {
    const work: Work = { done: Promise.resolve(), changes, began: performance.now() };
    for (const id of ids) latest.set(id, work);
    work.done = compute(projectId, ids, work).finally(() => {
      for (const id of ids) if (latest.get(id) === work) latest.delete(id);
    });
    // Its failure reaches those who wait for it.
    work.done.catch(() => undefined);
  }

  return {
    async of(projectId, cohortIds) {
      const changes = await channel.call<number>({ kind: 'store.changes', projectId });
      const live = cohortIds.filter((id) => book.find(projectId, id) !== null);
      const stale = live.filter((id) => !isFresh(projectId, id, changes));
      const idle = stale.filter((id) => !isUnderWay(id, changes));
      for (const piece of book.pieces(projectId, idle)) start(projectId, piece, changes);
      const works = new Set(stale.flatMap((id) => latest.get(id)?.done ?? []));
      await withPatience(Promise.all(works));
      return new Map(
        live.map((id) => {
          const { count, at } = known.get(id) ?? { count: null, at: null };
          return [id, { count, at, isCalculating: latest.has(id) }];
        }),
      );
    },
    forget(projectId, cohortId) {
      for (const id of book.leadingTo(projectId, cohortId)) {
        known.delete(id);
        latest.delete(id);
      }
    },
  };
}

async function withPatience(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS)));
  try {
    await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
