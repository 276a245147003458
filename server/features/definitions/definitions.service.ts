import type { ServiceChannel } from '../../db/client.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { DefinitionLog, KnownDefinition } from './definition-log.ts';
import type { DefinitionEdit, DefinitionOrder, DefinitionRef } from './definition-orders.ts';
import type {
  CreateEventDefinitionBody,
  UpdateEventDefinitionBody,
  UpdatePropertyDefinitionBody,
} from './definitions.contract.ts';

/**
 * Changes to definitions. All of them are carried out by the store's thread between two commits, because events write
 * the same rows: an answer means that it has happened.
 */
export interface Definitions {
  /** Returns the ID. Throws unique for a listed name, does_not_exist for an unknown owner. */
  createEvent(actor: Actor, projectId: number, body: CreateEventDefinitionBody): Promise<string>;
  /** `before` is what was found. Throws not_found, and does_not_exist for an unknown owner. */
  updateEvent(
    actor: Actor,
    projectId: number,
    before: KnownDefinition,
    body: UpdateEventDefinitionBody,
  ): Promise<void>;
  /** Throws not_found. */
  updateProperty(
    actor: Actor,
    projectId: number,
    before: KnownDefinition,
    body: UpdatePropertyDefinitionBody,
  ): Promise<void>;
  /** Deletes a definition; when an event brings it again, it is new. Throws not_found. */
  delete(actor: Actor, definition: DefinitionRef, before: KnownDefinition): Promise<void>;
}

export function createDefinitions({
  channel,
  isUser,
  log,
}: {
  channel: Pick<ServiceChannel, 'call'>;
  isUser: (id: number) => boolean;
  log: DefinitionLog;
}): Definitions {
  const order = <T>(message: DefinitionOrder): Promise<T> => channel.call<T>(message);

  async function update(
    actor: Actor,
    definition: DefinitionRef,
    before: KnownDefinition,
    edit: DefinitionEdit,
  ): Promise<void> {
    const isFound = await order<boolean>({ kind: 'definitions.update', definition, edit });
    if (!isFound) throw fail('not_found');
    const changes = log.changes(definition, before, edit);
    if (changes.length === 0) return;
    await log.record(actor, definition, { activity: 'updated', name: before.name, changes });
  }

  function eventEdit({
    owner,
    post_to_slack,
    default_columns,
    ...said
  }: UpdateEventDefinitionBody): DefinitionEdit {
    if (typeof owner === 'number' && !isUser(owner)) {
      throw fail('does_not_exist', { attr: 'owner', detail: 'This user does not exist.' });
    }
    return {
      ...editOf(said),
      ...(owner === undefined ? {} : { owner_id: owner }),
      ...(post_to_slack === undefined ? {} : { post_to_slack }),
      ...(default_columns === undefined ? {} : { default_columns: jsonText(default_columns ?? []) }),
    };
  }

  return {
    async createEvent(actor, projectId, { name, ...body }) {
      const id = await order<string | null>({
        kind: 'definitions.create',
        projectId,
        name,
        edit: eventEdit(body),
      });
      if (id === null)
        throw fail('unique', { attr: 'name', detail: 'An event definition with this name already exists.' });
      await log.record(actor, { kind: 'event', projectId, id }, { activity: 'created', name });
      return id;
    },
    updateEvent: (actor, projectId, before, body) =>
      update(actor, { kind: 'event', projectId, id: before.id }, before, eventEdit(body)),
    updateProperty: (actor, projectId, before, { property_type: type, ...body }) =>
      update(actor, { kind: 'property', projectId, id: before.id }, before, {
        ...editOf(body),
        ...(type === undefined ? {} : { chosen_type: type }),
      }),
    async delete(actor, definition, { name }) {
      const isFound = await order<boolean>({ kind: 'definitions.forget', definition });
      if (!isFound) throw fail('not_found');
      await log.record(actor, definition, { activity: 'deleted', name });
    },
  };
}

type Said = Pick<UpdateEventDefinitionBody, 'description' | 'tags' | 'verified' | 'hidden'>;

function editOf({ description, tags, verified, hidden }: Said): DefinitionEdit {
  return {
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(tags === undefined ? {} : { tags: jsonText(tags ?? []) }),
    ...(verified === undefined ? {} : { verified }),
    ...(hidden === undefined ? {} : { hidden: hidden ?? false }),
  };
}
