import { isDeepStrictEqual } from 'node:util';
import type { ServiceChannel } from '../../db/client.ts';
import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { ProjectLookup } from '../../http/auth.ts';
import type { Actor } from '../../http/define-route.ts';
import { changesBetween, type Change, type NewActivity } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import { newSecret, type NewId } from '../../lib/ids.ts';
import { requestRemoval } from '../../warehouse/duckdb/project-removal-requests.ts';
import type { Wiped } from '../../warehouse/duckdb/project-wipe.ts';
import type { Access } from '../access/index.ts';
import type { ProjectBody } from './projects.contract.ts';
import { activityOf, changesOfSettings } from './project-log.ts';
import { changeSettings } from './project-settings.ts';
import { listProjectsWithEvents } from './projects.reads.ts';
import {
  countProjects,
  deleteProject,
  findProject,
  insertProject,
  listProjects,
  saveProject,
  setIngestedEvent,
  setToken,
  type DemoFacts,
  type Project,
} from './projects.store.ts';

/** A user who may or may not enter a project; by a key that is restricted to projects, no other. */
export type Caller = Pick<Actor, 'organizationId' | 'organizationLevel' | 'membershipId'> &
  Partial<Pick<Actor, 'scopedProjects'>>;

export interface Projects extends ProjectLookup {
  /** Reads all projects; to be called before the first request and after first start. */
  load(): Promise<void>;
  find(id: number): Project | null;
  /** The one with the lowest id; there is always one. */
  first(): Project;
  /** Reads memory, because every capture request calls it. */
  findByToken(token: string): Project | null;
  /** Those that the caller may enter, in order of their ids, each saying whether it has received an event by now. */
  listFor(caller: Caller): Promise<Project[]>;
  /** All of every organization, as `listFor` has them. */
  listAll(): Promise<Project[]>;
  /** The first that the caller may enter, or null. */
  firstFor(caller: Caller): Project | null;
  mayEnter(caller: Caller, id: number): boolean;
  /** 0 no access, 1 member, 8 admin (management contract 2.9). */
  levelOf(caller: Caller, id: number): 0 | 1 | 8;
  get(id: number): Promise<Project>;
  create(actor: Actor, body: ProjectBody, demo?: DemoFacts): Promise<Project>;
  /** Writes down that all events of a project with demo data are stored. */
  completeDemo(id: number): Promise<void>;
  update(actor: Actor, id: number, body: ProjectBody): Promise<Project>;
  /**
   * In the transaction that deletes a dashboard: it is the project's first page no longer. Returns what to call after the
   * commit.
   */
  forgetDashboard(tx: Statements, actor: Actor, id: number, dashboardId: number): Promise<() => void>;
  /** Gives the project another token; the old one is not accepted from the moment it returns. */
  resetToken(actor: Actor, id: number): Promise<Project>;
  /**
   * Deletes the project with everything in it; of demo data the activity log retains nothing either. Throws invalid_input
   * for the last one.
   */
  delete(actor: Actor, id: number): Promise<void>;
  /** Calls `listener` after a project was deleted, before that is answered. */
  onDelete(listener: () => Promise<void>): void;
  /** Deletes all events, persons and groups of the project with their definitions, and keeps all else. */
  wipe(actor: Actor, id: number): Promise<Wiped>;
  /** From the moment it returns, events of the project are only shown, or stored again. */
  setInspectOnly(actor: Actor, id: number, inspectOnly: boolean): Promise<Project>;
}

type Settings = Readonly<Record<string, unknown>>;

export interface ProjectsDependencies {
  db: Db;
  /** Leads to the thread that takes events in. */
  channel: ServiceChannel;
  access: Pick<Access, 'projectLevel' | 'load'>;
  record: (tx: Statements, activity: NewActivity) => Promise<void>;
  /** Throws invalid_input for settings, by their names, that those who read them would refuse. */
  checkSettings: (changed: Settings) => void;
  clock: Clock;
  newId: NewId;
}

type ProjectWrite = (tx: Statements, before: Project) => Promise<Project>;
/** The fields of a change in the activity log. */
type ProjectChanges = (before: Project, after: Project) => Change[];

const DEFAULT_NAME = 'Default project';

export function createProjects(dependencies: ProjectsDependencies): Projects {
  const { db, channel, access, record, clock, newId } = dependencies;
  const listeners: (() => Promise<void>)[] = [];
  const byId = new Map<number, Project>();
  const byToken = new Map<string, Project>();

  function keep(project: Project): Project {
    forget(project.id);
    byId.set(project.id, project);
    byToken.set(project.apiToken, project);
    return project;
  }

  function forget(id: number): void {
    const known = byId.get(id);
    if (known === undefined) return;
    byId.delete(id);
    byToken.delete(known.apiToken);
  }

  /** Looks whether the first event has come; once it has, that is written down and never looked for again. */
  async function refreshIngestedEvent(projects: readonly Project[]): Promise<Project[]> {
    const waiting = projects.filter((project) => !project.ingestedEvent).map((project) => project.id);
    const ingested = waiting.length === 0 ? [] : await listProjectsWithEvents(db, waiting);
    if (ingested.length === 0) return [...projects];
    await db.transaction((tx) => setIngestedEvent(tx, ingested));
    return projects.map((project) => {
      if (!ingested.includes(project.id)) return project;
      const now = byId.get(project.id);
      return now === undefined ? project : keep({ ...now, ingestedEvent: true });
    });
  }

  const levelOf: Projects['levelOf'] = (caller, id) =>
    byId.get(id)?.organizationId === caller.organizationId ? access.projectLevel(caller, id) : 0;
  const mayEnter: Projects['mayEnter'] = (caller, id) => {
    const { scopedProjects = [] } = caller;
    return levelOf(caller, id) > 0 && (scopedProjects.length === 0 || scopedProjects.includes(id));
  };

  function enterable(caller: Caller): Project[] {
    return [...byId.values()].filter(({ id }) => mayEnter(caller, id)).sort((a, b) => a.id - b.id);
  }

  function activity(actor: Actor, project: Project, change: Pick<NewActivity, 'activity' | 'changes'>) {
    return { ...activityOf(actor, project), id: newId(), now: clock(), ...change };
  }

  async function changeIn(
    tx: Statements,
    actor: Actor,
    id: number,
    write: ProjectWrite,
    changes: ProjectChanges,
  ): Promise<Project> {
    const before = await findProject(tx, id);
    if (before === null) throw fail('project_not_found');
    const after = await write(tx, before);
    const changed = changes(before, after);
    if (changed.length > 0)
      await record(tx, activity(actor, after, { activity: 'updated', changes: changed }));
    return after;
  }

  /** The same in a transaction of its own. */
  const change = async (
    actor: Actor,
    id: number,
    write: ProjectWrite,
    changes: ProjectChanges,
  ): Promise<Project> => keep(await db.transaction((tx) => changeIn(tx, actor, id, write, changes)));

  function checkChanged(before: Settings, after: Settings): void {
    const changed = Object.entries(after).filter(([name, value]) => !isDeepStrictEqual(before[name], value));
    dependencies.checkSettings(Object.fromEntries(changed));
  }

  /** Writes settings and what else a body says. */
  const saveBody =
    (body: ProjectBody) =>
    (tx: Statements, before: Project): Promise<Project> => {
      const { name = before.name, timezone = before.timezone } = body;
      const settings = changeSettings(before.settings, body);
      checkChanged(before.settings, settings);
      return saveProject(tx, { ...before, name, timezone, settings }, clock());
    };

  return {
    async load() {
      for (const project of await listProjects(db)) keep(project);
    },
    find: (id) => byId.get(id) ?? null,
    findByToken: (token) => byToken.get(token) ?? null,
    listAll: () => refreshIngestedEvent([...byId.values()]),
    listFor: (caller) => refreshIngestedEvent(enterable(caller)),
    first: () => byId.values().next().value!,
    firstFor: (caller) => enterable(caller)[0] ?? null,
    mayEnter,
    levelOf,
    async get(id) {
      const known = byId.get(id);
      if (known === undefined) throw fail('project_not_found');
      const [project] = await refreshIngestedEvent([known]);
      return project!;
    },
    async create(actor, body, demo) {
      const { name = DEFAULT_NAME, timezone = 'UTC' } = body;
      const settings = changeSettings({}, body);
      checkChanged({}, settings);
      const { organizationId } = actor;
      const row = { organizationId, name, timezone, settings, uuid: newId(), apiToken: newProjectToken() };
      const project = await db.transaction(async (tx) => {
        const made = await insertProject(tx, { ...row, demo: demo ?? null, now: clock() });
        await record(tx, activity(actor, made, { activity: 'created' }));
        return made;
      });
      return keep(project);
    },
    async completeDemo(id) {
      const project = await db.transaction(async (tx) => {
        const before = await findProject(tx, id);
        if (before === null || before.demo === null) throw fail('project_not_found');
        return saveProject(tx, { ...before, demo: { ...before.demo, isComplete: true } }, clock());
      });
      keep(project);
    },
    async update(actor, id, body) {
      const before = byId.get(id)?.settings['anonymize_ips'];
      const project = await change(actor, id, saveBody(body), changesOfSettings);
      if (project.settings['anonymize_ips'] !== before) await channel.call({ kind: 'projects.refresh' });
      return project;
    },
    async forgetDashboard(tx, actor, id, dashboardId) {
      if (byId.get(id)?.settings['primary_dashboard'] !== dashboardId) return () => undefined;
      const project = await changeIn(tx, actor, id, saveBody({ primary_dashboard: null }), changesOfSettings);
      return () => void keep(project);
    },
    async resetToken(actor, id) {
      const apiToken = newProjectToken();
      const project = await change(
        actor,
        id,
        (tx) => setToken(tx, { id, apiToken, now: clock() }),
        () => [{ type: 'Project', action: 'changed', field: 'api_token', before: null, after: null }],
      );
      await channel.call({ kind: 'projects.refresh' });
      return project;
    },
    async delete(actor, id) {
      await db.transaction(async (tx) => {
        const project = await findProject(tx, id);
        if (project === null) throw fail('project_not_found');
        if ((await countProjects(tx, project.organizationId)) === 1)
          throw fail('invalid_input', { detail: 'The last project cannot be deleted.' });
        await deleteProject(tx, id);
        await requestRemoval(tx, { projectId: id, now: clock() });
        if (project.demo !== null) return;
        // Of the organization: the log of a project is deleted with it.
        await record(tx, { ...activity(actor, project, { activity: 'deleted' }), projectId: null });
      });
      forget(id);
      await channel.call({ kind: 'projects.remove', projectId: id });
      await access.load();
      for (const listener of listeners) await listener();
    },
    onDelete: (listener) => void listeners.push(listener),
    async wipe(actor, id) {
      const project = byId.get(id);
      if (project === undefined) throw fail('project_not_found');
      const wiped = await channel.call<Wiped>({ kind: 'projects.wipe', projectId: id });
      const changes = changesBetween('Project', { ...wiped }, { events: 0, persons: 0, groups: 0 });
      await db.transaction((tx) =>
        record(tx, activity(actor, project, { activity: 'events deleted', changes })),
      );
      return wiped;
    },
    async setInspectOnly(actor, id, inspectOnly) {
      const project = await change(
        actor,
        id,
        (tx, before) => saveProject(tx, { ...before, inspectOnly }, clock()),
        (before, after) =>
          changesBetween(
            'Project',
            { inspect_only: before.inspectOnly },
            { inspect_only: after.inspectOnly },
          ),
      );
      await channel.call({ kind: 'projects.refresh' });
      return project;
    },
  };
}

/** A random project token; public by design, since web pages contain it. */
export function newProjectToken(): string {
  return newSecret('phc_');
}
