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
import { createSighter } from './sightings.ts';
import { writeSightings } from './write-sightings.ts';

/**
 * Definitions in the commits of their events: a new event name, a new property and a wider type are written in the
 * transaction of the event that brought them, so that they are listed when it is acknowledged. It comes after those who
 * add properties to events.
 */
export async function openDefinitions(context: ParticipantContext): Promise<CommitParticipant> {
  const { connection, clock, log } = context;
  const projects = new Map<number, KnownProject>();
  const sighter = createSighter({ projects, newId: newUuid, log });
  /** What is known may be more than what is stored, since a commit has failed. */
  let isStale = false;
  /** Projects whose types the commit under way changes. */
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

  const readAgain = (): Promise<void> | null => (isStale ? read() : null);

  function rolledBack(): void {
    sighter.take();
    isStale = true;
  }

  function order<T>(projectId: number, work: () => Promise<T>): Promise<T> {
    return context.order({ projectId, read: readAgain, work, rolledBack });
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
    prepare: readAgain,
    apply(rows) {
      for (const row of rows) sighter.see(row);
    },
    write() {
      const sightings = sighter.take();
      typedProjects = sightings?.typedProjects ?? new Set();
      return sightings === null ? null : writeSightings(connection, sightings);
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
