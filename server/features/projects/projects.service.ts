import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import type { ProjectLookup } from '../../http/auth.ts';
import type { Clock } from '../../lib/clock.ts';
import { newSecret, type NewId } from '../../lib/ids.ts';
import { listProjectsWithEvents } from './projects.reads.ts';
import {
  insertProject,
  listProjects,
  setIngestedEvent,
  setInspectOnly,
  type Project,
} from './projects.store.ts';

export interface Projects extends ProjectLookup {
  /** Reads all projects; to be called before the first request and after first start. */
  load(): Promise<void>;
  find(id: number): Project | null;
  /** Answered from memory: every captured request asks. */
  findByToken(token: string): Project | null;
  /** In order of their ids, each saying whether it has received an event by now. */
  list(organizationId: string): Promise<Project[]>;
  get(id: number): Promise<Project>;
  create(project: { organizationId: string; name: string; timezone: string }): Promise<Project>;
  /** From the moment it returns, events of the project are only shown, or stored again. */
  setInspectOnly(id: number, inspectOnly: boolean): Promise<Project>;
}

/** `channel` leads to the thread that takes events in. */
export function createProjects(dependencies: {
  db: Db;
  channel: ServiceChannel;
  clock: Clock;
  newId: NewId;
}): Projects {
  const { db, channel, clock, newId } = dependencies;
  const byId = new Map<number, Project>();
  const byToken = new Map<string, Project>();

  function keep(project: Project): Project {
    byId.set(project.id, project);
    byToken.set(project.apiToken, project);
    return project;
  }

  /** Looks whether the first event has come; once it has, that is written down and never looked for again. */
  async function refreshIngestedEvent(projects: readonly Project[]): Promise<Project[]> {
    const waiting = projects.filter((project) => !project.ingestedEvent).map((project) => project.id);
    const ingested = waiting.length === 0 ? [] : await listProjectsWithEvents(db, waiting);
    if (ingested.length > 0) await setIngestedEvent(db, ingested);
    return projects.map((project) =>
      ingested.includes(project.id) ? keep({ ...project, ingestedEvent: true }) : project,
    );
  }

  return {
    async load() {
      for (const project of await listProjects(db)) keep(project);
    },
    find: (id) => byId.get(id) ?? null,
    findByToken: (token) => byToken.get(token) ?? null,
    list: (organizationId) =>
      refreshIngestedEvent([...byId.values()].filter((project) => project.organizationId === organizationId)),
    async get(id) {
      const [project] = await refreshIngestedEvent([byId.get(id)!]);
      return project!;
    },
    async create(project) {
      const row = { ...project, uuid: newId(), apiToken: newProjectToken(), now: clock() };
      return keep(await db.transaction((tx) => insertProject(tx, row)));
    },
    async setInspectOnly(id, inspectOnly) {
      const project = keep(await setInspectOnly(db, { id, inspectOnly, now: clock() }));
      await channel.call({ kind: 'projects.refresh' });
      return project;
    },
  };
}

/** A random project token; public by design, since it stands in web pages. */
export function newProjectToken(): string {
  return newSecret('phc_');
}
