import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Analytics, Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import { parseExactJson } from '../../http/exact-json.contract.ts';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { timeLimit } from '../../lib/time-limit.ts';
import type { Capture } from '../capture/index.ts';
import type { FlagsForTests } from '../feature-flags/index.ts';
import { findPerson, findPersonIds } from '../persons/index.ts';
import type { Projects } from '../projects/index.ts';
import { countCaptured, listCaptured, PERSON_MARK } from './testing.reads.ts';
import { differencesOf, nearestOf, type NearEvent } from '../../lib/nearest-events.contract.ts';
import type { CapturedEventJson, CapturedQuery, TestFlagBody } from './testing.contract.ts';

/** Between two looks at the number of events of a database in memory. */
const LOOK_EVERY_MS = 20;
/** Requests that wait at a time. */
const MAX_WAITING = 128;
const MAX_NEAREST = 5;

export interface TestingParts {
  db: Db;
  analytics: Analytics;
  capture: Pick<Capture, 'store'>;
  projects: Pick<Projects, 'find' | 'wipe'>;
  flagsForTests: FlagsForTests;
}

export interface Captured {
  results: CapturedEventJson[];
  total: number;
  nearest: NearEvent<CapturedEventJson>[];
}

/** What tests of an app need of the project of their key. */
export interface Testing {
  projectOf(actor: Actor): ProjectRef;
  /** The events that match, as soon as there are `count` and others than `beyond`, or after the time that the query allows. */
  captured(project: ProjectRef, query: CapturedQuery, gone: AbortSignal): Promise<Captured>;
  /** The person of a distinct ID, or null. */
  person(project: ProjectRef, distinctId: string): ReturnType<typeof findPerson>;
  /** Creates persons, or sets properties of those that are there. */
  createPersons(
    project: ProjectRef,
    persons: readonly { distinct_id: string; properties: Readonly<Record<string, unknown>> }[],
  ): Promise<void>;
  /** Overrides a flag, which is created when there is none, with the value as a variant where it has to be one. */
  setFlag(actor: Actor, project: ProjectRef, body: TestFlagBody): Promise<void>;
  /** Deletes events, persons and groups, removes overrides, and deletes the flags that `setFlag` has created. */
  reset(actor: Actor, project: ProjectRef): Promise<void>;
  close(): void;
}

export function createTesting(parts: TestingParts): Testing {
  const { db, analytics, capture, projects, flagsForTests } = parts;
  const closing = new AbortController();
  let waiting = 0;

  /** Resolves when there are other events than `known`, or with null when `over` fires. */
  async function nextCount(projectId: number, known: number, over: AbortSignal): Promise<number | null> {
    while (!over.aborted) {
      const count = await countCaptured(analytics, projectId, {});
      if (count !== known) return count;
      await sleep(LOOK_EVERY_MS, undefined, { signal: over }).catch(() => undefined);
    }
    return null;
  }

  async function look(projectId: number, query: CapturedQuery): Promise<Omit<Captured, 'total'>> {
    const rows = await listCaptured(analytics, projectId, {});
    const events = rows.map((row) => ({
      ...row,
      properties: parseExactJson(row.properties) as Record<string, unknown>,
    }));
    const wanted = {
      event: query.event ?? null,
      distinctId: query.distinct_id ?? null,
      properties: query.properties ?? {},
    };
    const results = events.filter((event) => differencesOf(event, wanted, isDeepStrictEqual).length === 0);
    const isShort = results.length < (query.count ?? 0);
    return { results, nearest: isShort ? nearestOf(events, wanted, isDeepStrictEqual, MAX_NEAREST) : [] };
  }

  return {
    projectOf(actor) {
      const project = projects.find(actor.currentProjectId);
      if (project === null) throw fail('project_not_found');
      return project;
    },
    async captured({ id }, query, gone) {
      const { count: wanted = 0, beyond = -1, timeout_ms: patience = 0 } = query;
      if (waiting >= MAX_WAITING) throw fail('throttled', { headers: { 'Retry-After': '1' } });
      waiting++;
      try {
        const over = AbortSignal.any([gone, closing.signal, timeLimit(patience)]);
        // Counted before they are read: an event in between is found by the next look.
        let total = await countCaptured(analytics, id, {});
        if (total === beyond) total = (await nextCount(id, total, over)) ?? total;
        for (;;) {
          const found = { ...(await look(id, query)), total };
          if (found.results.length >= wanted) return found;
          const next = await nextCount(id, total, over);
          if (next === null) return found;
          total = next;
        }
      } finally {
        waiting--;
      }
    },
    async person({ id }, distinctId) {
      const [personId] = await findPersonIds(db, id, { uuids: [], distinctIds: [distinctId] });
      return personId === undefined ? null : await findPerson(db, personId);
    },
    async createPersons({ apiToken }, persons) {
      if (persons.length === 0) return;
      const batch = persons.map(({ distinct_id, properties }) => ({
        event: '$identify',
        distinct_id,
        properties: { [PERSON_MARK]: true, $set: properties },
      }));
      await capture.store(Buffer.from(stringifyExactly({ api_key: apiToken, batch })), '/batch/');
    },
    setFlag: (actor, { id }, body) => flagsForTests.set(actor, id, body),
    async reset(actor, { id }) {
      await projects.wipe(actor, id);
      await flagsForTests.reset(actor, id);
    },
    close: () => closing.abort(),
  };
}
