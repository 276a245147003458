import type { ServiceChannel } from '../../db/client.ts';
import { fail } from '../../errors.ts';
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
  /** Returns the id. Throws unique for a name that is listed already, does_not_exist for an owner who is nobody. */
  createEvent(projectId: number, body: CreateEventDefinitionBody): Promise<string>;
  /** Throws not_found, and does_not_exist for an owner who is nobody. */
  updateEvent(projectId: number, id: string, body: UpdateEventDefinitionBody): Promise<void>;
  /** Throws not_found. */
  updateProperty(projectId: number, id: string, body: UpdatePropertyDefinitionBody): Promise<void>;
  /** Deletes a definition; when an event brings it again, it is new. Throws not_found. */
  delete(definition: DefinitionRef): Promise<void>;
}

export function createDefinitions({
  channel,
  isUser,
}: {
  channel: Pick<ServiceChannel, 'call'>;
  isUser: (id: number) => boolean;
}): Definitions {
  const order = <T>(message: DefinitionOrder): Promise<T> => channel.call<T>(message);

  async function update(definition: DefinitionRef, edit: DefinitionEdit): Promise<void> {
    const isFound = await order<boolean>({ kind: 'definitions.update', definition, edit });
    if (!isFound) throw fail('not_found');
  }

  function eventEdit({
    owner,
    post_to_slack,
    default_columns,
    ...said
  }: UpdateEventDefinitionBody): DefinitionEdit {
    if (typeof owner === 'number' && !isUser(owner)) {
      throw fail('does_not_exist', { attr: 'owner', detail: 'There is no user with this id.' });
    }
    return {
      ...editOf(said),
      ...(owner === undefined ? {} : { owner_id: owner }),
      ...(post_to_slack === undefined ? {} : { post_to_slack }),
      ...(default_columns === undefined ? {} : { default_columns: JSON.stringify(default_columns ?? []) }),
    };
  }

  return {
    async createEvent(projectId, { name, ...body }) {
      const id = await order<string | null>({
        kind: 'definitions.create',
        projectId,
        name,
        edit: eventEdit(body),
      });
      if (id !== null) return id;
      throw fail('unique', { attr: 'name', detail: 'An event with this name is listed already.' });
    },
    updateEvent: (projectId, id, body) => update({ kind: 'event', projectId, id }, eventEdit(body)),
    updateProperty: (projectId, id, { property_type: type, ...body }) =>
      update(
        { kind: 'property', projectId, id },
        { ...editOf(body), ...(type === undefined ? {} : { chosen_type: type }) },
      ),
    async delete(definition) {
      const isFound = await order<boolean>({ kind: 'definitions.forget', definition });
      if (!isFound) throw fail('not_found');
    },
  };
}

type Said = Pick<UpdateEventDefinitionBody, 'description' | 'tags' | 'verified' | 'hidden'>;

function editOf({ description, tags, verified, hidden }: Said): DefinitionEdit {
  return {
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags ?? []) }),
    ...(verified === undefined ? {} : { verified }),
    ...(hidden === undefined ? {} : { hidden: hidden ?? false }),
  };
}
