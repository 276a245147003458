import type { Db } from '../../db/db.ts';
import { createFlagSet, type CohortDefinition, type FlagSet } from '../../conditions/index.ts';
import { listFlagsSince } from './feature-flags.store.ts';
import type { Flag } from './flag-row.ts';
import { shownFilters } from './minimal-flag.ts';

/** Cohorts as flags need them. */
export interface CohortSource {
  /** Live cohorts of a project, from memory. */
  definitions(projectId: number): readonly CohortDefinition[];
  /** Calls `listener` for each project whose cohorts changed. */
  onChange(listener: (projectId: number) => void): void;
}

/** The live flags of all projects, because every request for flags reads them. */
export interface FlagMemory {
  /** Rereads everything; to be called before the first request, and when a project is deleted. */
  load(): Promise<void>;
  /** Reads what was written since the last time; to be called after a commit that wrote flags. */
  refresh(): Promise<void>;
  /** By their ids. */
  list(projectId: number): readonly Flag[];
  find(projectId: number, id: number): Flag | null;
  findByKey(projectId: number, key: string): Flag | null;
  /** Compiled on the first call after a change. */
  set(projectId: number): FlagSet;
  /** Calls `listener` for each project whose flags, or whose cohorts, changed. */
  onChange(listener: (projectId: number) => void): void;
}

interface ProjectFlags {
  readonly byId: Map<number, Flag>;
  /** Derived from `byId`; null until it is first read after a change. */
  made: { flags: readonly Flag[]; byKey: ReadonlyMap<string, Flag>; set: FlagSet | null } | null;
}

export function createFlagMemory({ db, cohorts }: { db: Db; cohorts: CohortSource }): FlagMemory {
  let projects = new Map<number, ProjectFlags>();
  const listeners: ((projectId: number) => void)[] = [];
  let revision = 0;
  /** Readings follow one another; who comes while one runs shares the next. */
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;

  function ofProject(projectId: number): ProjectFlags {
    const known = projects.get(projectId);
    if (known !== undefined) return known;
    const empty: ProjectFlags = { byId: new Map(), made: null };
    projects.set(projectId, empty);
    return empty;
  }

  function keep(flag: Flag): void {
    const { byId } = ofProject(flag.projectId);
    if (flag.deleted) byId.delete(flag.id);
    else byId.set(flag.id, flag);
    revision = flag.revision;
  }

  function changed(projectId: number): void {
    ofProject(projectId).made = null;
    for (const listener of listeners) listener(projectId);
  }

  async function readAll(): Promise<void> {
    const all = await listFlagsSince(db, 0);
    const before = [...projects.keys()];
    projects = new Map();
    all.forEach(keep);
    new Set([...before, ...projects.keys()]).forEach(changed);
  }

  async function readNews(): Promise<void> {
    next = null;
    const news = await listFlagsSince(db, revision);
    news.forEach(keep);
    new Set(news.map(({ projectId }) => projectId)).forEach(changed);
  }

  function madeOf(projectId: number) {
    const project = ofProject(projectId);
    if (project.made === null) {
      const flags = [...project.byId.values()].sort((a, b) => a.id - b.id);
      project.made = { flags, byKey: new Map(flags.map((flag) => [flag.key, flag])), set: null };
    }
    return project.made;
  }

  cohorts.onChange(changed);

  return {
    load() {
      running = running.then(readAll, readAll);
      return running;
    },
    refresh() {
      next ??= running = running.then(readNews, readNews);
      return next;
    },
    list: (projectId) => madeOf(projectId).flags,
    find: (projectId, id) => projects.get(projectId)?.byId.get(id) ?? null,
    findByKey: (projectId, key) => madeOf(projectId).byKey.get(key) ?? null,
    set(projectId) {
      const made = madeOf(projectId);
      made.set ??= createFlagSet(made.flags.map(definitionOf), cohorts.definitions(projectId));
      return made.set;
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** A flag as it is evaluated: secret payloads are in no answer to SDKs. */
function definitionOf(flag: Flag) {
  return { ...flag, filters: shownFilters(flag) };
}
