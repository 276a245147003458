import { newUuid } from '../../lib/ids.ts';
import type { CommitParticipant, ParticipantContext } from '../../warehouse/duckdb/commit-participant.ts';
import type { DefinitionOrderOf } from './definition-orders.ts';
import {
  deleteEventDefinition,
  deletePropertyDefinition,
  insertEventDefinition,
  readDefinitions,
  updateDefinition,
} from './definitions.store.ts';
import {
  forgetEvent,
  forgetProperty,
  minuteOf,
  newEvent,
  newProject,
  type KnownProject,
} from './known-definitions.ts';
import { OF_EVENTS } from './property-owner.ts';
import { createDefinitionTracker } from './definition-tracker.ts';
import { writeDefinitionChanges } from './write-definition-changes.ts';

/**
 * Definitions in the commits of their events: a new event name, a new property and a wider type are written in the
 * transaction of their event, so that they are listed when it is acknowledged. Must run after the features that add
 * properties to events.
 */
export async function openDefinitions(context: ParticipantContext): Promise<CommitParticipant> {
  const { connection, clock, log } = context;
  const projects = new Map<number, KnownProject>();
  const tracker = createDefinitionTracker({ projects, newId: newUuid, log });
  /** A commit has failed: memory may contain definitions that are not stored. */
  let isStale = false;
  /** Projects whose types the current commit changes. */
  let typedProjects: ReadonlySet<number> = new Set();
  await read();

  function projectOf(id: number): KnownProject {
    let project = projects.get(id);
    if (project === undefined) projects.set(id, (project = newProject(id)));
    return project;
  }

  async function read(): Promise<void> {
    const stored = await readDefinitions(connection);
    projects.clear();
    for (const { id, projectId, name, seenAt } of stored.events) {
      projectOf(projectId).events.set(name, newEvent(id, projectId, name, seenAt));
    }
    for (const property of stored.properties) {
      const { owner, name, seenAt } = property;
      const known = { ...property, firstSeenAt: seenAt, minute: minuteOf(seenAt) };
      projectOf(property.projectId).properties[owner]!.set(name, known);
    }
    for (const { projectId, event, property } of stored.pairs) {
      const project = projectOf(projectId);
      const known = project.properties[OF_EVENTS]!.get(property);
      if (known === undefined) continue;
      project.events.get(event)?.properties.add(known);
      project.pairs++;
    }
    isStale = false;
  }

  const reloadIfStale = (): Promise<void> | null => (isStale ? read() : null);

  function rolledBack(): void {
    tracker.takeChanges();
    isStale = true;
  }

  function order<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    return context.order({ projectId, read: reloadIfStale, work, rolledBack });
  }

  function create({
    projectId,
    name,
    edit,
  }: DefinitionOrderOf<'definitions.create'>): Promise<string | null> {
    return order(projectId, async () => {
      const project = projectOf(projectId);
      if (project.events.has(name)) return null;
      const id = newUuid();
      await insertEventDefinition(connection, { id, projectId, name, now: clock() });
      await updateDefinition(connection, { kind: 'event', projectId, id }, edit, clock());
      project.events.set(name, newEvent(id, projectId, name));
      return id;
    });
  }

  function update({ definition, edit }: DefinitionOrderOf<'definitions.update'>): Promise<boolean> {
    return order(definition.projectId, () => updateDefinition(connection, definition, edit, clock()));
  }

  function forget({ definition }: DefinitionOrderOf<'definitions.forget'>): Promise<boolean> {
    return order(definition.projectId, async () => {
      const project = projectOf(definition.projectId);
      if (definition.kind === 'event') {
        const deleted = await deleteEventDefinition(connection, definition);
        if (deleted !== null) forgetEvent(project, deleted.name);
        return deleted !== null;
      }
      const deleted = await deletePropertyDefinition(connection, definition);
      if (deleted !== null) forgetProperty(project, deleted.owner, deleted.name);
      return deleted !== null;
    });
  }

  return {
    prepare: reloadIfStale,
    apply(rows) {
      for (const row of rows) tracker.observe(row);
    },
    write() {
      const changes = tracker.takeChanges();
      typedProjects = changes?.typedProjects ?? new Set();
      return changes === null ? null : writeDefinitionChanges(connection, changes);
    },
    committed() {
      for (const projectId of typedProjects) context.typesChanged(projectId);
    },
    rolledBack,
    forgetProject: (projectId) => context.betweenCommits(async () => void projects.delete(projectId)),
    beforeWipe: async (projectId) => () => void projects.delete(projectId),
    calls: { 'definitions.create': create, 'definitions.update': update, 'definitions.forget': forget },
  };
}
